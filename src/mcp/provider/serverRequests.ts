/** What an MCP server may ask of us and tell us beside its answers, and what it is refused. */
import { basename, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type ClientCapabilities,
  ElicitRequestSchema,
  type ElicitResult,
  ErrorCode,
  ListRootsRequestSchema,
  type LoggingMessageNotification,
  LoggingMessageNotificationSchema,
  McpError,
  type Root,
} from '@modelcontextprotocol/sdk/types.js';
import type * as z from 'zod';
import type { McpServerConfig } from './mcpConfig.ts';
import { type UserAnswer, type UserQuestion, userQuestion } from '../../tap/wire/userQuestion.ts';

const MAX_ROOTS = 50;

/**
 * Folders only for a server whose entry asks for them: servers take them in place of those that they were started with. With
 * `applyDefaults` the SDK fills in what the user has left out.
 */
export function capabilitiesFor({ roots }: Pick<McpServerConfig, 'roots'>): ClientCapabilities {
  return { ...(roots && { roots: { listChanged: true } }), elicitation: { form: { applyDefaults: true }, url: {} } };
}

const refusals: Record<string, string> = {
  'sampling/createMessage': 'Tapline lets no server use a model: nobody has agreed to that',
};

export interface ServerRequests {
  /** Absent: it may not ask for them. */
  roots?(): Root[];
  /** Asks the user of the session for which the server works. */
  ask(question: UserQuestion): Promise<UserAnswer>;
  /** A question was declined that nobody can be asked. */
  declined(why: string): void;
  log(message: LoggingMessageNotification['params']): void;
}

export function answerServer(client: Client, requests: ServerRequests): void {
  const { roots } = requests;
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots() }));
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const question = userQuestion.safeParse(params);
    if (!question.success) {
      requests.declined(whyNot(question.error));
      return { action: 'decline' };
    }
    const { action, content } = await requests.ask(question.data);
    return { action, ...(content && { content: content as ElicitResult['content'] }) };
  });
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => requests.log(params));
  client.fallbackRequestHandler = ({ method }) =>
    Promise.reject(new McpError(ErrorCode.MethodNotFound, refusals[method] ?? 'Method not found'));
}

/** What is wrong with it as a form and as an address. */
function whyNot({ issues }: z.ZodError): string {
  const all = issues.flatMap((issue) => (issue.code === 'invalid_union' ? issue.errors.flat() : [issue]));
  return all.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/** The folders of sessions, each once. */
export function rootsOf(sessions: readonly { cwd?: string }[]): Root[] {
  const folders = new Set(sessions.flatMap(({ cwd }) => (cwd !== undefined && isAbsolute(cwd) ? [cwd] : [])));
  return [...folders].slice(0, MAX_ROOTS).map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) }));
}
