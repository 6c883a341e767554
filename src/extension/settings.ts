/** All settings of the extension. They are read when they are used, so that a change needs no restart. */
import * as l10n from '../base/l10n.ts';
import * as vscode from 'vscode';
import { usableEndpoints } from '../models/endpointChecks.ts';
import type { InspectedProviders } from './openctx/providers/configured.ts';
import type { SessionGrouping } from '../views/sessionList/sessionGroups.ts';
import { endpointProblem, fileProblem, type TracesConfig } from '../tap/wire/traces/tracesConfig.ts';
import { said } from '../base/text/phrase.ts';
import type { ModelEndpoint } from '../models/modelEndpoints.ts';

/** An agent host that the user added. Its token is in the secret storage, under its URL. */
export interface HostSetting {
  name: string;
  url: string;
}

/** A model of the user's own, without its key. */
export type ModelSetting = Omit<ModelEndpoint, 'apiKey'>;

/** Also in the manifest. */
const DEFAULT_CONTEXT_TOKENS = 8_000;
const MAX_CONTEXT_TOKENS = 100_000;
/** In seconds. Also in the manifest. */
const DEFAULT_LONG_TURN = 30;
const section = 'tapline';
const names = {
  embeddedHost: 'embeddedHost.enabled',
  gateway: 'gateway.enabled',
  editorTools: 'editorTools.enabled',
  hosts: 'hosts',
  offerVsCodeHosts: 'offerVsCodeHosts',
  models: 'models',
  showArchived: 'sessions.showArchived',
  groupBy: 'sessions.groupBy',
  notifyWhenNeeded: 'notifyWhenNeeded',
  notifyWhenFinishedAfter: 'notifyWhenFinishedAfter',
  shareDrafts: 'shareDrafts',
  composerAnswers: 'answerFromComposer',
  portalAgent: 'portal.agent',
  portalEntry: 'portal.entry',
  contextTokens: 'context.maxTokens',
  contextOfAttachedFiles: 'context.ofAttachedFiles',
  traces: 'traces.enabled',
  tracesEndpoint: 'traces.endpoint',
  tracesFile: 'traces.file',
  tracesContent: 'traces.content',
  ahp11: 'experimental.ahp11',
} as const;

/** Named as users of OpenCtx know them. */
const openCtxNames = { enable: 'openctx.enable', providers: 'openctx.providers', debug: 'openctx.debug' } as const;

export const settings = {
  embeddedHost: () => get<boolean>(names.embeddedHost, true),
  gateway: () => get<boolean>(names.gateway, true),
  /** Version 1.1 of the protocol, which is in development. For what connects from now on. */
  ahp11: () => get<boolean>(names.ahp11, false),
  /** Folders cannot set them. What is wrong with a place counts as no place, and is told as a text for the user. */
  traces(): { config: TracesConfig; problems: string[] } {
    const endpoint = text(names.tracesEndpoint);
    const file = text(names.tracesFile);
    const wrong = { endpoint: endpoint && endpointProblem(endpoint), file: file && fileProblem(file) };
    const config = {
      enabled: get<unknown>(names.traces, false) === true,
      ...(endpoint && !wrong.endpoint && { endpoint }),
      ...(file && !wrong.file && { file }),
      content: get<unknown>(names.tracesContent, false) === true,
    };
    const problems = [
      ...(wrong.endpoint
        ? [l10n.t`Traces are not sent to the address in the setting “${section}.${names.tracesEndpoint}”. ${said(wrong.endpoint)}`]
        : []),
      ...(wrong.file
        ? [l10n.t`Traces are not written to the file in the setting “${section}.${names.tracesFile}”. ${said(wrong.file)}`]
        : []),
    ];
    return { config, problems };
  },
  editorTools: () => get<boolean>(names.editorTools, true),
  showArchived: () => get<boolean>(names.showArchived, false),
  groupBy: (): SessionGrouping => (get<unknown>(names.groupBy, 'date') === 'project' ? 'project' : 'date'),
  notifyWhenNeeded: () => get<boolean>(names.notifyWhenNeeded, true),
  /** In seconds. 0 turns it off. */
  notifyWhenFinishedAfter(): number {
    const value = get<unknown>(names.notifyWhenFinishedAfter, DEFAULT_LONG_TURN);
    return typeof value === 'number' && value >= 0 ? value : DEFAULT_LONG_TURN;
  },
  /** What is not sent leaves the window only where the user says so. */
  shareDrafts: () => get<boolean>(names.shareDrafts, false),
  composerAnswers: () => get<boolean>(names.composerAnswers, true),
  portalAgent: () => (get<unknown>(names.portalAgent, 'copilot') === 'demo' ? 'demo' : 'copilot'),
  /** A path, or `''`. Folders cannot set it. */
  portalEntry(): string {
    return text(names.portalEntry);
  },
  setPortalEntry: (file: string) => set(names.portalEntry, file),
  offerVsCodeHosts: () => get<boolean>(names.offerVsCodeHosts, true),
  /** Entries that do not match the schema are ignored. VS Code marks them in the settings editor. */
  hosts(): HostSetting[] {
    const value = get<unknown>(names.hosts, []);
    return Array.isArray(value) ? value.filter(isHostSetting) : [];
  },
  models: (): ModelSetting[] => usableEndpoints(get<unknown>(names.models, [])).endpoints,
  /** What is wrong with other models in the list, each as a text for the user. */
  modelProblems: (): string[] => usableEndpoints(get<unknown>(names.models, [])).problems,
  /** Puts the model in the place of the one with its id, or at the end of the list; without a model that one is removed. Other entries stay as they are. */
  async setModel(id: string, model?: ModelSetting): Promise<void> {
    const value = get<unknown>(names.models, []);
    const all: unknown[] = Array.isArray(value) ? value : [];
    const isIt = (entry: unknown) => (entry as { id?: unknown } | null)?.id === id;
    const at = all.findIndex(isIt);
    const others = all.filter((entry) => !isIt(entry));
    await set(names.models, model ? others.toSpliced(at < 0 ? others.length : at, 0, model) : others);
  },
  /** Of context items that go along with one message, or that an agent gets at once. */
  contextTokens(): number {
    const value = get<unknown>(names.contextTokens, DEFAULT_CONTEXT_TOKENS);
    return typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? Math.min(value, MAX_CONTEXT_TOKENS)
      : DEFAULT_CONTEXT_TOKENS;
  },
  contextOfAttachedFiles: () => get<boolean>(names.contextOfAttachedFiles, true),
  openTraces: () => vscode.commands.executeCommand('workbench.action.openSettings', `${section}.traces`),
  openModels: () => vscode.commands.executeCommand('workbench.action.openSettings', `${section}.${names.models}`),
  setHosts: (hosts: HostSetting[]) => set(names.hosts, hosts),
  setShowArchived: (show: boolean) => set(names.showArchived, show),
  setGroupBy: (grouping: SessionGrouping) => set(names.groupBy, grouping),
  /** A workspace can switch it off, and not on where the user has switched it off. */
  openCtx(): boolean {
    const { globalValue, workspaceValue } = vscode.workspace.getConfiguration().inspect<unknown>(openCtxNames.enable) ?? {};
    return globalValue !== false && workspaceValue !== false;
  },
  /** Untrusted: a workspace may say anything. */
  openCtxProviders: (folder: vscode.Uri): InspectedProviders =>
    vscode.workspace.getConfiguration(undefined, folder).inspect<unknown>(openCtxNames.providers) ?? {},
  openCtxDebug: () => vscode.workspace.getConfiguration().get<unknown>(openCtxNames.debug) === true,
  affectsOpenCtx: (event: vscode.ConfigurationChangeEvent) =>
    event.affectsConfiguration(openCtxNames.enable) || event.affectsConfiguration(openCtxNames.providers),
  affectsPortalEntry: (event: vscode.ConfigurationChangeEvent) => event.affectsConfiguration(`${section}.${names.portalEntry}`),
  affectsHosts: (event: vscode.ConfigurationChangeEvent) =>
    event.affectsConfiguration(`${section}.${names.embeddedHost}`) || event.affectsConfiguration(`${section}.${names.hosts}`),
  affectsGateway: (event: vscode.ConfigurationChangeEvent) => event.affectsConfiguration(`${section}.${names.gateway}`),
  affectsTraces: (event: vscode.ConfigurationChangeEvent) => event.affectsConfiguration(`${section}.traces`),
  affectsEditorTools: (event: vscode.ConfigurationChangeEvent) => event.affectsConfiguration(`${section}.${names.editorTools}`),
  affectsModels: (event: vscode.ConfigurationChangeEvent) => event.affectsConfiguration(`${section}.${names.models}`),
  affectsList: (event: vscode.ConfigurationChangeEvent) =>
    event.affectsConfiguration(`${section}.${names.showArchived}`) ||
    event.affectsConfiguration(`${section}.${names.groupBy}`) ||
    event.affectsConfiguration(`${section}.${names.offerVsCodeHosts}`),
};

function get<T>(name: string, fallback: T): T {
  return vscode.workspace.getConfiguration(section).get<T>(name, fallback);
}
function text(name: string): string {
  const value = get<unknown>(name, '');
  return typeof value === 'string' ? value.trim() : '';
}
async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}
function isHostSetting(value: unknown): value is HostSetting {
  const { name, url } = (value ?? {}) as Partial<HostSetting>;
  return typeof name === 'string' && typeof url === 'string' && /^(?:wss?:\/\/|ws\+unix:)/.test(url);
}
