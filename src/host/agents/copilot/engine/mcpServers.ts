/**
 * The user's own MCP servers. The engine reads them from its home and starts them for every session. This reports what is wrong with them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionEvent } from '@github/copilot-sdk';
import { messageOf } from '../../../../base/errors.ts';
import { isRecord } from '../../../../base/isRecord.ts';
import * as l10n from '../../../../base/l10n.ts';
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
    this.#fileProblem = this.#whyNone();
    return this.#fileProblem === told ? undefined : this.#fileProblem;
  }

  #whyNone(): string | undefined {
    let config: unknown;
    try {
      config = JSON.parse(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      return l10n.t`Your MCP servers are not there: ${this.#link} cannot be read (${plain(messageOf(error))}).`;
    }
    if (isRecord(config) && isRecord(config.mcpServers)) return undefined;
    const needed = l10n.t`Your MCP servers are not there: ${this.#link} needs an object with them, called “mcpServers”.`;
    // Other programs call them so.
    return isRecord(config) && isRecord(config.servers) ? l10n.sentencesText([needed, l10n.t('Rename “servers” in it.')]) : needed;
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
    const why =
      status === 'needs-auth'
        ? l10n.t('it wants you to sign in, which is not possible here')
        : error === undefined
          ? l10n.t('it does not say why')
          : plain(error);
    return l10n.t`The MCP server ${code(name)} is not there: ${why}. It is named in ${this.#link}.`;
  }
}
