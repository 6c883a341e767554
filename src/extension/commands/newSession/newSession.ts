/** Creates a session. A question with one possible answer is not asked. */
import * as l10n from '../../../base/l10n.ts';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { AgentInfo } from '../../../ahp/channels/root.ts';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import { FIRST_MODEL } from '../../../ahp/sessionMetaKeys.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { usableModels } from '../../../views/hosts/agentModels.ts';
import { isConnecting } from '../../../views/hosts/hostConnectionView.ts';
import { progressText } from '../../../views/newSession/progressText.ts';
import { DEMO_PROVIDER, readiness } from '../../../views/newSession/startOffer.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import { type RegisteredHost, agentsOf, hasOurFiles } from '../../hosts/registeredHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry } from '../../hosts/hostRegistry.ts';
import { type ModelCommands, takesOwnModels } from '../../models/modelCommands.ts';
import { settings } from '../../settings.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { foldersHere } from '../../sessions/foldersHere.ts';
import type { NewSessionChoice } from '../../../pages/session/sessionPageServices.ts';
import { UserError } from '../../../base/errors.ts';
import { DisposableStore, toDisposable } from '../../../base/lifecycle.ts';
import { chooseConfig } from './chooseConfig.ts';
import { askForFolder } from './chooseFolder.ts';
import { chooseRemoteFolder } from './chooseRemoteFolder.ts';

/** For a connection that is being made. */
const CONNECT_WAIT_MS = 20_000;

/** Undefined when the user cancels a question. */
export async function newSession(hosts: HostRegistry, choice: NewSessionChoice, models: ModelCommands): Promise<SessionRef | undefined> {
  const host = await chooseHost(hosts, choice.hostId ?? (choice.provider === DEMO_PROVIDER ? EMBEDDED_HOST_ID : undefined));
  if (!host) return undefined;
  const chosen = await chooseAgent(host, choice.provider);
  if (!chosen) return undefined;
  const { agent, withOwnModel } = chosen;
  const ownModel = withOwnModel ? await models.prepareOwn(host, agent) : undefined;
  if (withOwnModel ? ownModel === undefined : !(await models.prepare(host, agent))) return undefined;
  const workingDirectory = choice.workingDirectory ?? (await chooseFolder(host, agent));
  if (!workingDirectory) return undefined;
  const config = choice.config ?? (await chooseConfig(host, { provider: agent.provider, workingDirectory }));
  if (!config) return undefined;
  const session = `${agent.provider}:/${randomUUID()}`;
  const model = ownModel === undefined ? (choice.model ?? firstModel(host, agent)) : { id: ownModel };
  await withCreationProgress(host, (progressToken) =>
    host.client.command('createSession', {
      channel: session,
      provider: agent.provider,
      workingDirectories: [workingDirectory],
      config,
      progressToken,
      ...(model && { _meta: { [FIRST_MODEL]: model } }),
    }),
  );
  return { hostId: host.id, uri: session };
}

/** Shows at the view that something goes on, and in the status bar what the host says of it. */
async function withCreationProgress(host: RegisteredHost, act: (progressToken: string) => Promise<unknown>): Promise<void> {
  const token = randomUUID();
  const inStatusBar = { location: vscode.ProgressLocation.Window, title: l10n.t('Creating the session') };
  await vscode.window.withProgress({ location: { viewId: 'tapline.sessions' } }, () =>
    vscode.window.withProgress(inStatusBar, async (status) => {
      const heard = host.client.onNotification((notification) => {
        if (notification.type !== 'notify/progress' || notification.progressToken !== token) return;
        status.report({ message: withoutMarkup(progressText(notification)) });
      });
      try {
        await act(token);
      } finally {
        heard.dispose();
      }
    }),
  );
}

/** Binds a session of our own host to its first model, so that the view can say when that model is gone. Other hosts choose by themselves. */
function firstModel(host: RegisteredHost, { provider }: AgentInfo): ModelSelection | undefined {
  const [first] = host.kind === 'embedded' ? usableModels(agentsOf(host).find((agent) => agent.provider === provider)) : [];
  return first && { id: first.id };
}

async function chooseHost(hosts: HostRegistry, id: string | undefined): Promise<RegisteredHost | undefined> {
  if (id) {
    const host = hosts.get(id);
    if (!host) throw new UserError(l10n.t('That agent host is not listed. Turn on the built-in host in the settings, or add a host.'));
    return connected(hosts, host);
  }
  const all = hosts.all;
  if (all.length === 0) throw new UserError(l10n.t('There is no agent host. Turn on the built-in host in the settings, or add a host.'));
  if (all.length === 1) return all[0] && connected(hosts, all[0]);
  const items = all.map((host) => ({ label: withoutMarkup(host.label), description: withoutMarkup(host.connection.text), host }));
  const picked = await vscode.window.showQuickPick(items, { title: l10n.t('New Session'), placeHolder: l10n.t('On which agent host?') });
  return picked && connected(hosts, picked.host);
}

/** Waits for a connection that is being made, as that of our own host when the window opens. Undefined when the user cancels that. */
async function connected(hosts: HostRegistry, host: RegisteredHost): Promise<RegisteredHost | undefined> {
  if (isConnecting(host.connection)) {
    const title = l10n.t`Connecting to ${withoutMarkup(oneLine(host.label))}`;
    const isCancelled = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, cancellation) =>
        new Promise<boolean>((done) => {
          const store = new DisposableStore();
          const end = (cancelled: boolean) => (store.dispose(), done(cancelled));
          store.add(hosts.onDidChange(() => !isConnecting(host.connection) && end(false)));
          store.add(cancellation.onCancellationRequested(() => end(true)));
          const timer = setTimeout(() => end(false), CONNECT_WAIT_MS);
          store.add(toDisposable(() => clearTimeout(timer)));
        }),
    );
    if (isCancelled) return undefined;
  }
  const { connected: up, text, problem } = host.connection;
  if (!up)
    throw new UserError(
      l10n.t`${host.label} is not connected: ${problem?.message ?? `${text}.`} You can create a session when it is connected again.`,
    );
  return host;
}

/** Who works in a session: an agent, and whether with a model of the user's own. */
interface AgentChoice {
  agent: AgentInfo;
  withOwnModel: boolean;
}

async function chooseAgent(host: RegisteredHost, provider: string | undefined): Promise<AgentChoice | undefined> {
  const hasModel = settings.models().length > 0;
  const agents = agentsOf(host).toSorted((a, b) => readiness(a, hasModel) - readiness(b, hasModel));
  if (provider) {
    const agent = agents.find((candidate) => candidate.provider === provider);
    if (!agent) throw new UserError(l10n.t`${host.label} has no agent “${provider}”.`);
    return { agent, withOwnModel: false };
  }
  if (agents.length === 0) throw new UserError(l10n.t`${host.label} offers no agents.`);
  const shown = (text: string) => withoutMarkup(oneLine(text));
  const items = agents.flatMap((agent) => [
    {
      label: shown(agent.displayName || agent.provider),
      description: shown(agent.provider),
      detail: shown(agent.description),
      chosen: { agent, withOwnModel: false },
    },
    ...(host.kind === 'embedded' && takesOwnModels(agent) ? [ownModelItem(agent)] : []),
  ]);
  if (items.length === 1) return items[0]?.chosen;
  return (await vscode.window.showQuickPick(items, { title: l10n.t('New Session'), placeHolder: l10n.t('Which agent or model?') }))?.chosen;
}

function ownModelItem(agent: AgentInfo) {
  const names = settings.models().map(({ name }) => name);
  return {
    label: l10n.t('Your own model: Ollama, LM Studio, any OpenAI-compatible server'),
    description: '',
    detail: names.length > 0 ? withoutMarkup(oneLine(names.join(', '))) : l10n.t('On this computer, or at an address that you enter'),
    chosen: { agent, withOwnModel: true },
  };
}

/** A workspace folder for a host of this computer, and a folder of its own for any other host. */
async function chooseFolder(host: RegisteredHost, agent: AgentInfo): Promise<string | undefined> {
  if (!hasOurFiles(host)) return chooseRemoteFolder(host, agent.provider);
  const folders = foldersHere(vscode.workspace.workspaceFolders);
  if (folders.length === 0) return askForFolder();
  if (folders.length === 1) return folders[0]?.uri.toString();
  const items = folders.map(({ name, uri }) => ({ label: withoutMarkup(name), description: withoutMarkup(uri.fsPath), uri }));
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('New Session'),
    placeHolder: l10n.t('In which folder should the agent work?'),
  });
  return picked?.uri.toString();
}
