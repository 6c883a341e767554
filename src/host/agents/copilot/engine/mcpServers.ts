/**
 * The user's own MCP servers. The engine reads them from its home and starts them for every session. This reports what is wrong with them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '@github/copilot-sdk';
import { messageOf } from '../../../../base/errors.ts';
import { code, plain } from '../../markdown.ts';

/** `{"mcpServers": {"<name>": {"command": …, "args": […]} or {"type": "http", "url": …}}}` */
const CONFIG_FILE = 'mcp-config.json';

/** Watches the servers of one session. */
export class McpServers {
  /** Servers that are reported as missing. */
  readonly #missing = new Set<string>();
  #fileProblem: string | undefined;

  /** `home`: the folder of the engine. */
  constructor(private readonly home: string) {}

  /** In Markdown, why there are none, if it was not reported yet. The engine does not report a file that it cannot read. */
  fileProblem(): string | undefined {
    const path = join(this.home, CONFIG_FILE);
    const told = this.#fileProblem;
    this.#fileProblem = undefined;
    try {
      JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#fileProblem = `Your MCP servers are not there: ${code(path)} cannot be read (${plain(messageOf(error))}).`;
    }
    return this.#fileProblem === told ? undefined : this.#fileProblem;
  }

  /** In Markdown, the problem that the event reports: a server is missing. Undefined for other events and known problems. */
  problem(event: SessionEvent): string | undefined {
    if (event.type === 'session.mcp_server_status_changed') {
      const { serverName, status, error } = event.data;
      return this.#follow(serverName, status, error);
    }
    if (event.type !== 'session.mcp_servers_loaded') return undefined;
    const problems = event.data.servers.map(({ name, status, error }) => this.#follow(name, status, error));
    return problems.filter((problem) => problem !== undefined).join(' ') || undefined;
  }

  #follow(name: string, status: string, error: string | undefined): string | undefined {
    if (status === 'connected') this.#missing.delete(name);
    if ((status !== 'failed' && status !== 'needs-auth') || this.#missing.has(name)) return undefined;
    this.#missing.add(name);
    const why = status === 'needs-auth' ? 'it wants you to sign in, which is not possible here' : plain(error ?? 'it does not say why');
    return `The MCP server ${code(name)} is not there: ${why}.`;
  }
}
