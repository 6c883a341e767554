/** Tapline's built MCP server as a real process, and the official client on both of its transports. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, type ClientCapabilities, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { withTimeout } from '../../src/base/errors.ts';
import { Emitter } from '../../src/base/event.ts';
import type { GatewayHome } from './gatewayProcess.ts';
import { type PrintingProcess, startPrintingProcess } from './printingProcess.ts';

export const mcpScript = join(import.meta.dirname, '../../dist/mcp.cjs');
export const MCP_WAIT_MS = 15_000;

export interface HttpMcp {
  url: string;
  token: string;
}
export type HttpMcpProcess = PrintingProcess<HttpMcp>;

export function startHttpMcp(home: GatewayHome, args: string[] = [], env: Record<string, string> = {}): Promise<HttpMcpProcess> {
  return startPrintingProcess<HttpMcp>('MCP server', mcpScript, ['--http', '--port', '0', ...args], { ...home.env, ...env });
}

/** The official client, with what it has been told. */
export class McpClient {
  readonly client: Client;
  /** What came as `notifications/tools/list_changed`. */
  listChanges = 0;
  readonly #listChanged = new Emitter<void>();
  stderr = '';

  private constructor(capabilities: ClientCapabilities) {
    this.client = new Client({ name: 'test-client', version: '1.0.0', title: 'Test Client' }, { capabilities });
    this.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      this.listChanges++;
      this.#listChanged.fire();
    });
  }

  static async overStdio(
    { env }: { env: Record<string, string> },
    args: string[] = [],
    capabilities: ClientCapabilities = {},
  ): Promise<McpClient> {
    if (!existsSync(mcpScript)) throw new Error(`${mcpScript} is missing: run \`npm run build\` first`);
    const transport = new StdioClientTransport({ command: process.execPath, args: [mcpScript, ...args], env, stderr: 'pipe' });
    const own = new McpClient(capabilities);
    transport.stderr?.on('data', (chunk) => (own.stderr += String(chunk)));
    await own.client.connect(transport, { timeout: MCP_WAIT_MS });
    return own;
  }

  static async overHttp({ url, token }: HttpMcp, capabilities: ClientCapabilities = {}): Promise<McpClient> {
    const own = new McpClient(capabilities);
    const headers = { Authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    await own.client.connect(transport, { timeout: MCP_WAIT_MS });
    return own;
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    options: Parameters<Client['callTool']>[2] = { timeout: MCP_WAIT_MS },
  ): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult;
  }

  /** The list has changed since `before`, which was {@link listChanges}. */
  async listChangedSince(before: number): Promise<void> {
    while (this.listChanges <= before) {
      const changed = new Promise<void>((resolve) => {
        const listening = this.#listChanged.event(() => {
          listening.dispose();
          resolve();
        });
      });
      await withTimeout(changed, MCP_WAIT_MS, 'notifications/tools/list_changed');
    }
  }

  /** Until the tools are as wanted, looking again whenever the server says that they have changed. */
  async untilTools(fits: (names: string[]) => boolean): Promise<string[]> {
    for (;;) {
      const before = this.listChanges;
      const names = await this.toolNames();
      if (fits(names)) return names;
      await this.listChangedSince(before);
    }
  }

  /** Of a server on stdio. */
  get pid(): number {
    return (this.client.transport as StdioClientTransport).pid ?? 0;
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
}

/** Of a signal that may be aborted already. */
export async function aborted(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) await withTimeout(once(signal, 'abort'), MCP_WAIT_MS, 'the cancel');
  return signal.reason;
}
