/** Diagnostics of this window, as a text that the user has seen when they give it to others. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { type Diagnosed, diagnosticsText, programWord } from '../../../views/diagnostics/diagnosticsText.ts';
import type { GatewayHealth } from '../../../views/providers/facts.ts';
import type { WindowBridge } from '../../bridge/windowBridge.ts';
import { showInfo } from '../../notifications.ts';
import { settings } from '../../settings.ts';
import type { TextDocuments } from '../../textDocuments.ts';
import type { WindowServices } from '../../windowServices.ts';
import type { ProviderLogs } from '../../projectProviders/providerLogs.ts';
import type { RecentProblems } from '../../window/recentProblems.ts';

export interface DiagnosedParts {
  readonly bridge: Pick<WindowBridge, 'health'>;
  readonly projectProviders: { readonly logs: ProviderLogs };
  readonly problems: RecentProblems;
}

export function diagnosticsOf({ context, hosts }: WindowServices, { bridge, projectProviders, problems }: DiagnosedParts): string {
  const { health } = bridge;
  const status = health.kind === 'up' ? health.status : undefined;
  const diagnosed: Diagnosed = {
    versions: {
      Tapline: context.extension.packageJSON.version as string,
      ...(status && { Gateway: programWord(status.version) }),
      'VS Code': `${vscode.version} (${vscode.env.appHost}, ${vscode.env.remoteName === undefined ? 'local' : 'remote'})`,
      'Node.js': process.version,
      System: `${process.platform} ${process.arch}`,
      Language: vscode.env.language,
    },
    hosts: hosts.all.map(({ kind, client }) => ({
      kind,
      dialect: client.dialect,
      state: client.state.kind,
      problem: 'reason' in client.state ? client.state.reason.brief : undefined,
      sessions: client.sessions.summaries.length,
    })),
    gateway: gatewayWords(health),
    counts: {
      'models of your own': settings.models().length,
      providers: status?.providers.length ?? 0,
      'paired programs and pages': status?.pairings.length ?? 0,
      'sessions at the gateway': status?.sessions.length ?? 0,
      'project providers with a log': projectProviders.logs.titles.length,
    },
    problems: [
      ...problems.all,
      ...(status?.lastErrors ?? []).map(({ ts, code }) => ({ at: timeOf(ts), kind: `gateway: ${programWord(code)}` })),
    ],
  };
  return diagnosticsText(diagnosed);
}

export async function copyDiagnostics(text: string, documents: TextDocuments): Promise<void> {
  await documents.show(l10n.t('Diagnostics of Tapline'), 'txt', text);
  await vscode.env.clipboard.writeText(text);
  void showInfo(
    l10n.t(
      'You have copied what is shown here: versions, agent hosts with their state, the gateway, counts, and when and where the last problems were. What they say is left out, and so are names, addresses, tokens and texts of sessions.',
    ),
  );
}

function gatewayWords(health: GatewayHealth): string {
  switch (health.kind) {
    case 'off':
      return `off (${health.why})`;
    case 'connecting':
      return 'connecting';
    case 'down':
      // eslint-disable-next-line texts/translated -- for the report
      return 'cannot be reached';
    case 'up':
      // eslint-disable-next-line texts/translated -- for the report
      return `runs, answers in ${Math.round(health.roundTripMs)} ms`;
  }
}

/** The gateway may be another version. */
function timeOf(ts: string): number {
  const at = Date.parse(ts);
  return Number.isNaN(at) ? 0 : at;
}
