/** Diagnostics of this window, as a text that the user has seen when they give it to others. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { type Diagnosed, diagnosticsText } from '../../../views/diagnostics/diagnosticsText.ts';
import type { GatewayHealth } from '../../../views/providers/facts.ts';
import { showInfo } from '../../notifications.ts';
import { settings } from '../../settings.ts';
import type { TextDocuments } from '../../textDocuments.ts';
import type { WindowServices } from '../../windowServices.ts';
import type { HelpedParts } from './index.ts';

type Parts = Pick<HelpedParts, 'bridge' | 'projectProviders' | 'problems'>;

export function diagnosticsOf({ context, hosts }: WindowServices, { bridge, projectProviders, problems }: Parts): string {
  const { health } = bridge;
  const status = health.kind === 'up' ? health.status : undefined;
  const diagnosed: Diagnosed = {
    versions: {
      Tapline: context.extension.packageJSON.version as string,
      ...(status && { Gateway: status.version }),
      'VS Code': `${vscode.version} (${vscode.env.appHost}, ${vscode.env.remoteName === undefined ? 'local' : 'remote'})`,
      'Node.js': process.version,
      System: `${process.platform} ${process.arch}`,
      Language: vscode.env.language,
    },
    hosts: hosts.all.map(({ kind, client, connection }) => ({
      kind,
      dialect: client.dialect,
      state: connection.text,
      problem: connection.problem?.brief,
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
      ...(status?.lastErrors ?? []).map(({ ts, code, message }) => ({ at: timeOf(ts), text: `gateway: ${code}: ${message}` })),
    ],
  };
  return diagnosticsText(diagnosed, homedir());
}

export async function copyDiagnostics(text: string, documents: TextDocuments): Promise<void> {
  await documents.show('Diagnostics of Tapline', 'txt', text);
  await vscode.env.clipboard.writeText(text);
  void showInfo(
    'You have copied what is shown here: versions, agent hosts with their state, the gateway, counts, and the last problems. Tokens are left out, and so are texts of sessions.',
  );
}

function gatewayWords(health: GatewayHealth): string {
  switch (health.kind) {
    case 'off':
      return `off (${health.why})`;
    case 'connecting':
      return 'connecting';
    case 'down':
      return `cannot be reached: ${health.error}`;
    case 'up':
      return `runs, answers in ${Math.round(health.roundTripMs)} ms`;
  }
}

/** The gateway may be another version. */
function timeOf(ts: string): number {
  const at = Date.parse(ts);
  return Number.isNaN(at) ? 0 : at;
}
