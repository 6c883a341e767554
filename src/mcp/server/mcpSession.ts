/** One session of an MCP client, backed by one session at the gateway. Lists its tools and makes its calls. */
import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ElicitRequestParamsSchema,
  ElicitResultSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { systemClock } from '../../base/clock.ts';
import { englishOf, messageOf, TimeoutError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { named } from '../../base/text/quoted.ts';
import type { OwnedSession, OwnerClient } from '../../tap/owner/ownerClient.ts';
import type { UserAnswer, UserQuestion } from '../../tap/wire/userQuestion.ts';
import { printable } from '../printable.ts';
import { SERVER_NAME } from '../serverInfo.ts';
import { LatestProgress } from './latestProgress.ts';
import { listedTool } from './listedTool.ts';
import { type Answer, PairedTools } from './pairedTools.ts';
import { SessionTools } from '../../tap/owner/sessionTools.ts';
import type { OutputCheck, OutputSchemas } from './outputSchemas.ts';
import { failedResult, toolResult } from './toolResult.ts';

/** Starting a gateway takes a few seconds. */
const GATEWAY_TIMEOUT_MS = 20_000;
/** Time for a user to answer a question. */
export const ASK_TIMEOUT_MS = 5 * 60_000;
/** Time for providers to clean up. Clients kill a server that does not end within two seconds. */
const END_MS = 1_000;
const NAME_LENGTH = 100;

export interface McpSessionOptions {
  owner: OwnerClient;
  /** Tapline's version. */
  version: string;
  /** Offers the tools of paired providers without asking. */
  allowPaired: boolean;
  outputs: OutputSchemas;
  logger: Logger;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export class McpSession {
  /** The id of the session at the gateway. */
  readonly id = `mcp-${randomUUID()}`;
  readonly #server: Server;
  readonly #tools: SessionTools;
  readonly #schemas: Disposable;
  #paired = new PairedTools({ canAsk: false, allowAll: false, onAllowed: () => undefined });
  #owned: OwnedSession | undefined;
  #closing: Promise<void> | undefined;
  /** The checks of the schemas that the client was told last, by tool. It refuses what does not fit those, and no others. */
  #promises: ReadonlyMap<string, OutputCheck> = new Map();
  readonly #leftOut = new Set<string>();
  readonly #didClose = new Emitter<void>();
  readonly onDidClose: Event<void> = this.#didClose.event;

  constructor(private readonly options: McpSessionOptions) {
    const { owner, version, outputs, logger } = options;
    this.#server = new Server({ name: SERVER_NAME, title: 'Tapline', version }, { capabilities: { tools: { listChanged: true } } });
    this.#tools = new SessionTools(owner, this.id, systemClock, () => this.#listChanged());
    this.#schemas = outputs.onDidGetTime(() => this.#listChanged());
    this.#server.oninitialized = () => void this.#registered();
    this.#server.onerror = (error) => logger.debug(`MCP: ${printable(error.message)}`);
    this.#server.onclose = () => void this.close();
    this.#server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await this.#list() }));
    this.#server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => this.#call(params.name, params.arguments ?? {}, extra));
  }

  /** What the client calls itself. */
  get clientName(): string {
    const { title, name = 'MCP client' } = this.#server.getClientVersion() ?? {};
    return printable(title ?? name, NAME_LENGTH) || 'MCP client';
  }

  /** Whether the client can show a question to its user. */
  get canAsk(): boolean {
    return this.#server.getClientCapabilities()?.elicitation?.form !== undefined;
  }

  /** Call it once. */
  connect(transport: Transport): Promise<void> {
    return this.#server.connect(transport);
  }

  /** Asks the user a question that belongs to no call. */
  async ask(question: string): Promise<Answer> {
    return (await this.#server.elicitInput(formOf(question), { timeout: ASK_TIMEOUT_MS })).action;
  }

  /** Also ends the session at the gateway, which cancels its calls. Never rejects. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#tools.dispose();
    this.#schemas.dispose();
    try {
      await this.#server.close();
      await this.#owned?.end(END_MS);
    } catch (error) {
      this.options.logger.debug(`ending the session of ${this.clientName}: ${englishOf(error)}`);
    }
    this.#didClose.fire();
    this.#didClose.dispose();
  }

  /** Registers the session with the gateway. It has no turns, so it never becomes idle and never gets an inject. */
  #registered(): OwnedSession {
    if (!this.#server.getClientVersion() || this.#closing)
      throw new McpError(ErrorCode.InvalidRequest, 'the first request must be initialize');
    if (this.#owned) return this.#owned;
    this.#paired = new PairedTools({ canAsk: this.canAsk, allowAll: this.options.allowPaired, onAllowed: () => this.#listChanged() });
    const label = `${this.clientName} (MCP)`;
    return (this.#owned = this.options.owner.addSession({ sessionId: this.id, label, idle: false, hasTurns: false }));
  }

  #listChanged(): void {
    this.#server.sendToolListChanged().catch((error: unknown) => this.options.logger.debug(`tools/list_changed: ${englishOf(error)}`));
  }

  async #list() {
    this.#registered();
    try {
      const offered = await this.#tools.list(GATEWAY_TIMEOUT_MS);
      const promises = new Map<string, OutputCheck>();
      const tools = offered.flatMap((tool) => {
        if (!this.#paired.isOffered(tool))
          return this.#leaveOut(
            tool,
            `the provider ${named(tool.provider)} is paired, and ${this.clientName} cannot ask the user about its tools`,
          );
        const check = this.options.outputs.checkOf(tool);
        const listed = listedTool(tool, this.#paired.stateOf(tool), check !== undefined);
        if (check && listed?.outputSchema) promises.set(tool.name, check);
        return listed ?? this.#leaveOut(tool, 'MCP cannot express its parameters');
      });
      this.#promises = promises;
      return tools;
    } catch (error) {
      throw error instanceof TimeoutError ? new McpError(ErrorCode.InternalError, this.#whyAway()) : error;
    }
  }

  #leaveOut({ name, provider }: { name: string; provider: string }, why: string): [] {
    const key = JSON.stringify([provider, name]);
    if (!this.#leftOut.has(key)) this.options.logger.warn(`The tool “${name}” is left out: ${why}`);
    this.#leftOut.add(key);
    return [];
  }

  #whyAway(): string {
    const { state } = this.options.owner;
    return `There is no connection to Tapline's gateway${state.kind === 'waiting' ? `: ${state.error}` : ''}`;
  }

  /** Every failure becomes a result, so that the model can read it. */
  async #call(name: string, args: Record<string, unknown>, extra: Extra): Promise<CallToolResult> {
    try {
      const session = this.#registered();
      await this.#tools.ready(GATEWAY_TIMEOUT_MS);
      const refusal = await this.#refusalOf(name, extra);
      if (refusal) return refusal;
      const span = typeof extra._meta?.traceparent === 'string' ? { traceparent: extra._meta.traceparent } : {};
      const { decision, reason, provider, context } = await session.evaluateHooks(name, args, span);
      if (decision === 'deny')
        return failedResult(
          'UNAUTHORIZED',
          `${provider ? `The provider ${named(provider)} denies` : 'A rule denies'} this call${reason ? `: ${reason}` : ''}`,
        );
      extra.signal.throwIfAborted();
      // The tool may have changed since the user was asked.
      const tool = this.#tools.find(name);
      if (tool && !this.#paired.isAllowed(tool)) return failedResult('UNAUTHORIZED', `The tool “${name}” has just changed. Call it again.`);
      const progress = this.#progressOf(extra);
      const outcome = await session.call(
        name,
        args,
        extra.signal,
        progress && ((message) => progress.report(message)),
        tool,
        undefined,
        async (question, provider) => {
          const waiting = progress?.repeat('Waits for an answer of the user', systemClock);
          try {
            return await this.#askFor(provider, name, question, extra);
          } finally {
            waiting?.dispose();
          }
        },
        span,
      );
      await progress?.flush();
      return toolResult(outcome, context, this.#promises.get(name));
    } catch (error) {
      if (error instanceof McpError) throw error;
      if (this.options.owner.state.kind !== 'connected' && error instanceof TimeoutError)
        return failedResult('DISCONNECTED', this.#whyAway());
      if (error instanceof TimeoutError) return failedResult('TIMEOUT', messageOf(error));
      return failedResult('DISCONNECTED', `The call was lost, and the tool may or may not have run: ${messageOf(error)}`);
    }
  }

  async #refusalOf(name: string, { sendRequest }: Extra): Promise<CallToolResult | undefined> {
    const tool = this.#tools.find(name);
    if (!tool || !this.#paired.isOffered(tool)) return failedResult('NOT_FOUND', `There is no tool “${name}” in this session`);
    const ask = async (question: string) => {
      const params = { method: 'elicitation/create', params: formOf(question) } as const;
      return (await sendRequest(params, ElicitResultSchema, { timeout: ASK_TIMEOUT_MS })).action;
    };
    // The model reads these results, so they have no word of the provider.
    if (this.#paired.stateOf(tool) === 'tooLong') return failedResult('UNAUTHORIZED', tooLong(name));
    try {
      if (await this.#paired.allow(tool, ask)) return undefined;
      return failedResult('UNAUTHORIZED', `The user has not allowed the tool “${name}”`);
    } catch (error) {
      return failedResult('UNAUTHORIZED', `The user could not be asked about the tool “${name}”: ${messageOf(error)}`);
    }
  }

  /** What a tool asks while it runs. A client that cannot show it declines. */
  async #askFor(provider: string, tool: string, question: UserQuestion, { sendRequest, signal }: Extra): Promise<UserAnswer> {
    const { form, url } = this.#server.getClientCapabilities()?.elicitation ?? {};
    if (!('url' in question ? url : form)) return { action: 'decline' };
    const message = `The tool “${tool}” of the provider ${named(provider)} asks:\n\n${question.message}`;
    const params = ElicitRequestParamsSchema.parse(
      'url' in question
        ? { mode: 'url', message, url: question.url, elicitationId: randomUUID() }
        : { mode: 'form', message, requestedSchema: question.requestedSchema },
    );
    const answer = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, { timeout: ASK_TIMEOUT_MS, signal });
    return { action: answer.action, ...(answer.content && { content: answer.content }) };
  }

  #progressOf({ _meta, sendNotification }: Extra): LatestProgress | undefined {
    const progressToken = _meta?.progressToken;
    if (progressToken === undefined) return undefined;
    return new LatestProgress(
      (message, progress) => sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } }),
      (error) => this.options.logger.debug(`progress: ${englishOf(error)}`),
    );
  }
}

function tooLong(name: string): string {
  return (
    `The description and the parameters of the tool “${name}” are too long to be shown whole in a question, so it cannot be allowed in this session. ` +
    'The user can use it in a session of Tapline in VS Code, which shows them as a document, start this server with --allow-paired, or have the provider shorten them.'
  );
}

/** A form without fields. The user's answer is to accept or decline it. */
function formOf(message: string) {
  return { mode: 'form' as const, message, requestedSchema: { type: 'object' as const, properties: {} } };
}
