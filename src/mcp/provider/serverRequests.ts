/** What an MCP server may ask of us and tell us beside its answers, and what it is refused. */
import { basename, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type ClientCapabilities,
  ErrorCode,
  ListRootsRequestSchema,
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  McpError,
  type Root,
} from '@modelcontextprotocol/sdk/types.js';

const MAX_ROOTS = 50;

export const capabilities: ClientCapabilities = { roots: { listChanged: true } };

const refusals: Record<string, string> = {
  'sampling/createMessage': 'Tapline lets no server use a model: nobody has agreed to that',
  'elicitation/create': 'Tapline has no way to ask the user for a server. Take what you need as a parameter of the tool',
};

export interface ServerRequests {
  roots(): Root[];
  log(message: LoggingMessageNotification['params']): void;
}

export function answerServer(client: Client, requests: ServerRequests): void {
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: requests.roots() }));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => requests.log(params));
  client.fallbackRequestHandler = ({ method }) =>
    Promise.reject(new McpError(ErrorCode.MethodNotFound, refusals[method] ?? 'Method not found'));
}

/** The folders of sessions, each once. */
export function rootsOf(sessions: readonly { cwd?: string }[]): Root[] {
  const folders = new Set(sessions.flatMap(({ cwd }) => (cwd !== undefined && isAbsolute(cwd) ? [cwd] : [])));
  return [...folders].slice(0, MAX_ROOTS).map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) }));
}
