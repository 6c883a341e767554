/** The person's own MCP servers: the engine reads them from its home and starts them for every session; what is wrong with them is said. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '@github/copilot-sdk';
import { messageOf } from '../../../../base/errors.ts';
import { code, plain } from '../../markdown.ts';

/** `{"mcpServers": {"<name>": {"command": …, "args": […]} or {"type": "http", "url": …}}}` */
const CONFIG_FILE = 'mcp-config.json';

/** Follows the servers of one session. */
export class McpServers {
  /** Servers that are known to be missing. */
  readonly #missing = new Set<string>();
  #fileProblem: string | undefined;

  /** `home`: of the engine. */
  constructor(private readonly home: string) {}

  /** Why none of them is there, in Markdown, if that was not said yet: the engine says nothing when it cannot read the file. */
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

  /** What the event says that was not said yet, in Markdown: a server is missing. */
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
