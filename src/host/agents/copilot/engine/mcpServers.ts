/**
 * The user's own MCP servers. The engine reads them from its home and starts them for every session. This reports what is wrong with them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionEvent } from '@github/copilot-sdk';
import { messageOf } from '../../../../base/errors.ts';
import { isRecord } from '../../../../base/isRecord.ts';
import { sha256 } from '../../../../base/node/sha256.ts';
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

  /** Another one when the file has changed. The engine reads the file only when it opens a session. */
  get revision(): string {
    try {
      return sha256(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? messageOf(error);
    }
  }

  /** In Markdown, why there are none, if it was not reported yet. The engine does not report a file that it cannot use. */
  fileProblem(): string | undefined {
    const told = this.#fileProblem;
    const why = this.#whyNone();
    this.#fileProblem = why === undefined ? undefined : `Your MCP servers are not there: ${this.#link} ${why}.`;
    return this.#fileProblem === told ? undefined : this.#fileProblem;
  }

  #whyNone(): string | undefined {
    let config: unknown;
    try {
      config = JSON.parse(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : `cannot be read (${plain(messageOf(error))})`;
    }
    if (isRecord(config) && isRecord(config.mcpServers)) return undefined;
    // Other programs call them so.
    const other = isRecord(config) && isRecord(config.servers) ? ' Rename “servers”' : '';
    return `needs an object with them, called “mcpServers”${other && `.${other} in it`}`;
  }

  get #path(): string {
    return join(this.home, CONFIG_FILE);
  }
  get #link(): string {
    return `[${code(this.#path)}](<${pathToFileURL(this.#path).href}>)`;
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
    return `The MCP server ${code(name)} is not there: ${why}. It is named in ${this.#link}.`;
  }
}
