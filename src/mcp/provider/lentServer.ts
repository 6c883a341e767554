/** One MCP server of the user, lent to the gateway as one provider. */
import type { Progress, Tool } from '@modelcontextprotocol/sdk/types.js';
import { systemClock } from '../../base/clock.ts';
import { englishOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { ProviderHandle, ToolCallRequest, ToolInput } from '../../tap/provider/providerApi.ts';
import { GatewayError, ToolError } from '../../tap/provider/providerErrors.ts';
import { createProvider } from '../../tap/provider/providerNode.ts';
import { isBlank } from '../../tap/wire/fields.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { UserAnswer, UserQuestion } from '../../tap/wire/userQuestion.ts';
import { printable } from '../printable.ts';
import { Askers } from './askers.ts';
import { callData } from './callData.ts';
import { LargeResults } from './largeResults.ts';
import type { McpServerConfig } from './mcpConfig.ts';
import { CALL_TIMEOUT_MS, ServerLink, type ServerLinkOptions } from './serverLink.ts';
import { rootsOf } from './serverRequests.ts';
import { safeToolName } from './toolNames.ts';

const PROGRESS_EVERY_MS = 100;
/** Errors that are about a tool itself, not about the connection or its load. */
const aboutTools = new Set(['INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'TOOL_CONFLICT']);
const isAboutTools = (error: unknown): error is GatewayError => error instanceof GatewayError && aboutTools.has(error.code);

const isSame = (tool: ToolInput, other: ToolInput | undefined) => JSON.stringify(tool) === JSON.stringify(other);

export class LentServer {
  readonly #provider: ProviderHandle;
  readonly #link: ServerLink;
  readonly #logger: Logger;
  readonly #askers = new Askers<ToolCallRequest>(CALL_TIMEOUT_MS, systemClock);
  readonly #large: LargeResults;
  #tools: readonly Tool[] = [];
  /** The server's own names of the tools, by their names at the gateway. */
  #names = new Map<string, string>();
  /** Set when another provider has a tool of the same name. It stays set, so that no name changes its meaning again. */
  #isPrefixed = false;
  /** The tools that the gateway has accepted, by name. The SDK registers them with every new gateway. */
  #accepted = new Map<string, ToolInput>();
  /** The tools that it has refused for good, as JSON. */
  readonly #refused = new Set<string>();
  #syncs: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: McpServerConfig,
    options: ServerLinkOptions,
  ) {
    this.#logger = options.logger;
    this.#large = new LargeResults((error) => this.#logger.warn(`A result of “${config.name}” stays on the disk: ${englishOf(error)}`));
    // Tools are only added by updates, so that the gateway can refuse one without refusing the rest.
    this.#provider = createProvider(config.name, {
      session: 'all',
      tools: [],
      onSessions: (sessions) => this.#link.setRoots(rootsOf(sessions)),
      onToolCall: (call) => this.#call(call),
      onError: (error) => {
        this.#logger.warn(`“${config.name}” at the gateway: ${printable(error.message)}`);
        if (error instanceof GatewayError && error.code === 'TOOL_CONFLICT') this.#prefix();
      },
    });
    this.#provider.onDidChangeState(({ kind }) => void (kind === 'bound' && this.#sync()));
    this.#link = new ServerLink(
      config,
      options,
      (tools) => {
        this.#tools = this.#usable(tools);
        this.#sync();
      },
      (question) => this.#ask(question),
    );
  }

  async close(): Promise<void> {
    this.#provider.close();
    this.#large.dispose();
    await this.#link.close();
  }

  async #call(call: ToolCallRequest): Promise<unknown> {
    this.#askers.began(call);
    let isAnswered = true;
    try {
      return await this.#callServer(call);
    } catch (error) {
      isAnswered = !call.signal.aborted && !(error instanceof ToolError && error.code === 'TIMEOUT');
      throw error;
    } finally {
      this.#askers.ended(call, isAnswered);
    }
  }

  #ask(question: UserQuestion): Promise<UserAnswer> {
    const asker = this.#askers.find();
    if (typeof asker !== 'string') return asker.ask(question);
    this.#logger.warn(`“${this.config.name}” has asked the user, and nobody was asked: ${asker}`);
    return Promise.resolve({ action: 'decline' });
  }

  async #callServer({ tool, args, traceparent, signal, progress }: ToolCallRequest): Promise<unknown> {
    const name = this.#names.get(tool);
    if (name === undefined) throw new ToolError('NOT_FOUND', `The MCP server “${this.config.name}” has no tool “${tool}” any more`);
    let last = -Infinity;
    const onProgress = ({ progress: done, total, message }: Progress) => {
      if (performance.now() - last < PROGRESS_EVERY_MS) return;
      last = performance.now();
      progress(message ?? (total === undefined ? String(done) : `${done} of ${total}`));
    };
    const data = callData(await this.#link.call(name, args, signal, onProgress, traceparent));
    const { state } = this.#provider;
    return this.#large.resultOf(data, state.kind === 'bound' ? state.persistDir : undefined);
  }

  #usable(tools: readonly Tool[]): Tool[] {
    const usable = tools.filter(({ execution }) => execution?.taskSupport !== 'required');
    if (usable.length < tools.length) this.#logger.warn(`“${this.config.name}” has tools that only run as tasks. They are left out.`);
    if (usable.length > Limit.tools)
      this.#logger.warn(`“${this.config.name}” has ${usable.length} tools. Only the first ${Limit.tools} are lent.`);
    return usable.slice(0, Limit.tools);
  }

  #prefix(): void {
    if (this.#isPrefixed) return;
    this.#isPrefixed = true;
    this.#logger.warn(
      `Another provider has a tool with the same name as one of “${this.config.name}”. All its tools are now called ${this.config.name}_…`,
    );
    this.#sync();
  }

  /** Registers the tools as they are by then, one registration after the other. */
  #sync(): void {
    this.#syncs = this.#syncs
      .then(() => this.#register())
      .catch((error: unknown) => {
        // After a lost connection the next one registers again.
        if (this.#provider.state.kind === 'bound') this.#logger.warn(`Registering the tools of “${this.config.name}”: ${englishOf(error)}`);
      });
  }

  async #register(): Promise<void> {
    const { kind } = this.#provider.state;
    if (kind === 'closed') return;
    const names = new Map<string, string>();
    const tools = this.#tools.flatMap((tool) => {
      const input = this.#toInput(tool);
      if (names.has(input.name)) return [];
      names.set(input.name, tool.name);
      return [input];
    });
    this.#names = names;
    const wanted = tools.filter((tool) => !this.#refused.has(JSON.stringify(tool)));
    if (wanted.length === this.#accepted.size && wanted.every((tool) => isSame(tool, this.#accepted.get(tool.name)))) return;
    // The gateway only checks tools while there is a session. They are registered when one comes.
    if (kind !== 'bound' && wanted.length && !this.#isPrefixed) return;
    try {
      await this.#provider.updateTools(wanted);
      this.#accepted = new Map(wanted.map((tool) => [tool.name, tool]));
    } catch (error) {
      if (!isAboutTools(error)) throw error;
      await this.#registerSingly(wanted);
    }
  }

  /** Finds out which tools are refused. Accepted ones stay registered meanwhile. */
  async #registerSingly(wanted: readonly ToolInput[]): Promise<void> {
    const names = new Set(wanted.map(({ name }) => name));
    await this.#remove([...this.#accepted.keys()].filter((name) => !names.has(name)));
    for (const tool of wanted) {
      if (isSame(tool, this.#accepted.get(tool.name))) continue;
      try {
        await this.#provider.updateTools([tool], []);
        this.#accepted.set(tool.name, tool);
      } catch (error) {
        if (!isAboutTools(error)) throw error;
        if (error.code === 'TOOL_CONFLICT' && !this.#isPrefixed) return this.#prefix();
        if (error.code !== 'TOOL_CONFLICT') this.#refused.add(JSON.stringify(tool));
        this.#logger.warn(`The tool “${tool.name}” of “${this.config.name}” is left out: ${printable(error.message)}`);
        await this.#remove(this.#accepted.has(tool.name) ? [tool.name] : []);
      }
    }
  }

  async #remove(names: string[]): Promise<void> {
    if (!names.length) return;
    await this.#provider.updateTools([], names);
    for (const name of names) this.#accepted.delete(name);
  }

  #toInput({ name, title, description, inputSchema, outputSchema, annotations }: Tool): ToolInput {
    const shown = title ?? annotations?.title;
    const said = [description, shown].map((text) => text?.slice(0, Limit.textLength)).find((text) => text !== undefined && !isBlank(text));
    return {
      name: safeToolName(this.#isPrefixed ? `${this.config.name}_${name}` : name),
      ...(said !== undefined && { description: said }),
      parameters: inputSchema,
      timeout: CALL_TIMEOUT_MS,
      title: shown,
      annotations,
      outputSchema,
    };
  }
}
