/**
 * The engine's own tools that a session and its subagents get. Only those on this list are allowed. The engine also has tools that run a
 * program without asking because a file of the repository names it, and tools of later versions are not known.
 */
import type { SessionEvent } from '@github/copilot-sdk';
import * as l10n from '../../../../base/l10n.ts';
import { code } from '../../markdown.ts';

/** They ask before they read, change or fetch something, or do nothing with the computer. */
export const offered: readonly string[] = [
  'view',
  'create',
  'edit',
  'apply_patch',
  'grep',
  'rg',
  'glob',
  'web_fetch',
  'ask_user',
  'exit_plan_mode',
  // The model's notes, in a database of the session.
  'sql',
  // Subagents.
  'task',
  'read_agent',
  'list_agents',
  'write_agent',
  // Finds tools when there are many.
  'tool_search_tool',
];

/** Known tools that are not allowed. */
export const leftOff: readonly string[] = [
  // Starts the servers that `.github/lsp.json` names, and writes files, both without asking.
  'lsp',
  // Replaced by the host's own (`shellTools`).
  ...['bash', 'powershell'].flatMap((shell) => [shell, ...['read', 'write', 'stop', 'list'].map((verb) => `${verb}_${shell}`)]),
  // Run programs of extensions, or prompts at a later time.
  'factories_manage',
  'run_factory',
  'manage_schedule',
  // A skill can add permissions.
  'skill',
  // Other sessions.
  'session_store_sql',
  'store_memory',
  'vote_memory',
  'read_inbox',
  'send_inbox',
  // For GitHub's own products, or for models that the engine does not offer them to.
  'context_board',
  'create_pull_request',
  'fetch_copilot_cli_documentation',
  'generic_tool_search',
  'reply_to_comment',
  'str_replace_editor',
  'task_complete',
  'update_todo',
];

/** For the engine's `availableTools`. `own`: names of the host's tools. MCP servers are the user's (`McpServers`). */
export function availableTools(own: Iterable<string>): string[] {
  return [...offered.map((name) => `builtin:${name}`), ...[...own].map((name) => `custom:${name}`), 'mcp:*'];
}

/** Tools that the engine has in one session and that are not on the lists. */
export class UnknownTools {
  readonly #told = new Set<string>();

  /** In Markdown, the problem that the event reports: unknown tools are not allowed. Undefined for other events and known tools. */
  problem(event: SessionEvent): string | undefined {
    if (event.type !== 'session.info' || event.data.infoType !== 'configuration') return undefined;
    // The engine reports it only in this sentence.
    const names = /^Disabled tools: (.*)$/s.exec(event.data.message)?.[1]?.split(', ') ?? [];
    const unknown = names.filter((name) => !leftOff.includes(name) && !offered.includes(name) && !this.#told.has(name));
    if (unknown.length === 0) return undefined;
    for (const name of unknown) this.#told.add(name);
    return l10n.t`This Copilot engine has tools that Tapline does not know. They are off: ${l10n.commaText(unknown.map(code))}.`;
  }
}
