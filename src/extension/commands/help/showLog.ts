/** One list of the logs of all that runs for this window. */
import * as l10n from '../../../base/l10n.ts';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';

/** `description`: whose log it is, where the label does not say. */
export interface LogSource {
  readonly label: string;
  readonly description?: string;
  show(): unknown;
}

/** Those that were written last. */
const MAX_MCP_LOGS = 20;

export async function showLog(sources: readonly LogSource[]): Promise<void> {
  const items = sources.map((source) => ({
    label: withoutMarkup(source.label),
    ...(source.description !== undefined && { description: withoutMarkup(source.description) }),
    source,
  }));
  const [only] = items;
  const chosen =
    items.length === 1
      ? only
      : await vscode.window.showQuickPick(items, {
          title: l10n.t('Show Log'),
          placeHolder: l10n.t('Whose log?'),
          matchOnDescription: true,
        });
  await chosen?.source.show();
}

/** Of MCP servers whose tools were lent from this computer. `folder`: that of Tapline’s data. */
export function mcpLogs(folder: string): LogSource[] {
  return mcpLogNames(folder).map((name) => ({
    label: l10n.t`MCP server ${name.slice('mcp-'.length, -'.log'.length)}`,
    description: l10n.t('lent by “tapline mcp provider”'),
    show: () => vscode.window.showTextDocument(vscode.Uri.file(join(folder, name))),
  }));
}

function mcpLogNames(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // Nothing has run yet.
    return [];
  }
  const logs = names.filter((name) => /^mcp-.+\.log$/.test(name));
  const at = new Map(logs.map((name) => [name, statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  return logs.sort((one, other) => (at.get(other) ?? 0) - (at.get(one) ?? 0)).slice(0, MAX_MCP_LOGS);
}
