/**
 * Which of the engine's own tools a session and its subagents get: those that are listed here. The engine has tools that run a program
 * because a file of the repository names it, without asking anybody; what a tool of a later version does is not known.
 */
import type { SessionEvent } from '@github/copilot-sdk';
import { code } from '../../markdown.ts';

/** They ask before they touch or fetch something, or have nothing to do with the computer. */
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
  // Its notes, in a database of the session.
  'sql',
  // Subagents.
  'task',
  'read_agent',
  'list_agents',
  'write_agent',
  // Finds those of many lent tools that the model needs.
  'tool_search_tool',
];

/** Known, and off. */
export const leftOff: readonly string[] = [
  // Starts the servers that `.github/lsp.json` names, without asking, and writes files likewise.
  'lsp',
  // The host has its own (`shellTools`).
  ...['bash', 'powershell'].flatMap((shell) => [shell, ...['read', 'write', 'stop', 'list'].map((verb) => `${verb}_${shell}`)]),
  // Run programs of extensions, or prompts later.
  'factories_manage',
  'run_factory',
  'manage_schedule',
  // A skill can bring permissions along.
  'skill',
  // Other sessions.
  'session_store_sql',
  'store_memory',
  'vote_memory',
  'read_inbox',
  'send_inbox',
  // Of GitHub's own surfaces, and of models that the engine does not offer it to.
  'context_board',
  'create_pull_request',
  'fetch_copilot_cli_documentation',
  'generic_tool_search',
  'reply_to_comment',
  'str_replace_editor',
  'task_complete',
  'update_todo',
];

/** For the engine's `availableTools`. `own`: names of the tools that the host brings along. MCP servers are the person's (`McpServers`). */
export function availableTools(own: Iterable<string>): string[] {
  return [...offered.map((name) => `builtin:${name}`), ...[...own].map((name) => `custom:${name}`), 'mcp:*'];
}

/** What the engine has in one session and the host does not know. */
export class UnknownTools {
  readonly #told = new Set<string>();

  /** What the event says that was not said yet, in Markdown: tools are off that are not known here. */
  problem(event: SessionEvent): string | undefined {
    if (event.type !== 'session.info' || event.data.infoType !== 'configuration') return undefined;
    // The engine says it in this sentence only.
    const names = /^Disabled tools: (.*)$/s.exec(event.data.message)?.[1]?.split(', ') ?? [];
    const unknown = names.filter((name) => !leftOff.includes(name) && !offered.includes(name) && !this.#told.has(name));
    if (unknown.length === 0) return undefined;
    for (const name of unknown) this.#told.add(name);
    return `This Copilot engine has tools that Tapline does not know. They are off: ${unknown.map(code).join(', ')}.`;
  }
}
