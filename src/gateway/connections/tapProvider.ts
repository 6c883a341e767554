/**
 * The gateway's own provider, `tap`. A session's model uses it to read event streams, to post events, to have something watched, and to see the state
 * of the gateway.
 */
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ToolErrorCode } from '../../tap/wire/errorCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import { firstIssue } from '../../tap/wire/parsing/firstIssue.ts';
import { type ProviderInput, providerMessages } from '../../tap/wire/providerMessages.ts';
import { LocalProviderTransport } from './localTransport.ts';
import type { Gateway } from '../gateway.ts';
import { push } from '../sessions/pushes.ts';
import type { Session } from '../sessions/session.ts';
import { emitterTools } from '../tapTools/emitterTools.ts';
import { evidenceTools } from '../tapTools/evidenceTools.ts';
import { recordTools } from '../tapTools/recordTools.ts';
import { sessionTools } from '../tapTools/sessionStateTools.ts';
import { statusTool } from '../tapTools/statusTool.ts';
import { streamTools } from '../tapTools/streamTools.ts';
import { NotAllowed, type TapTool } from '../tapTools/tapTool.ts';

const NAME = 'tap';
type ToolCall = Extract<GatewayMessage, { type: 'tool.call' }>;

const tools: readonly TapTool[] = [...streamTools, ...emitterTools, ...evidenceTools, ...sessionTools, ...recordTools, statusTool];

/** Joins every session, also those that are registered later. */
export class TapProvider implements Disposable {
  readonly #transport: LocalProviderTransport;
  #isBound = false;
  #questions = 0;
  /** What waits for the user's answer, by the id of the question, and by that of the call. */
  readonly #asked = new Map<string, (isYes: boolean) => void>();
  readonly #askedFor = new Map<string, () => void>();

  constructor(private readonly gateway: Gateway) {
    // The list of sessions may arrive while the transport is being constructed.
    const early: GatewayMessage[] = [];
    let handle: (message: GatewayMessage) => void = (message) => early.push(message);
    this.#transport = new LocalProviderTransport(gateway, (message) => handle(message));
    handle = (message) => this.#heard(message);
    for (const message of early) handle(message);
  }

  dispose(): void {
    this.#transport.dispose();
  }

  #heard(message: GatewayMessage): void {
    switch (message.type) {
      case 'sessions':
        if (message.active.length)
          this.#say({ type: 'hello', name: NAME, protocolVersion: 2, session: 'all', tools: tools.map(({ definition }) => definition) });
        return;
      case 'hello.ack':
        this.#isBound = true;
        return;
      case 'sessions.updated':
        if (this.#isBound) for (const { id } of message.active) this.#say({ type: 'session.ready', sessionId: id });
        return;
      case 'session.lifecycle':
        if (message.state === 'shutdown.pending') this.#say({ type: 'shutdown.ready', sessionId: message.sessionId });
        return;
      case 'tool.call':
        return void this.#call(message);
      case 'tool.answer':
        return this.#asked.get(message.askId)?.(message.action === 'accept');
      case 'tool.cancel':
        return this.#askedFor.get(message.id)?.();
      case 'error':
        this.gateway.logger.warn(`the provider tap was refused: ${message.code} ${message.message}`);
        return;
      default:
    }
  }

  async #call(call: ToolCall): Promise<void> {
    const { id } = call;
    try {
      // Undefined would be no answer.
      this.#say({ type: 'tool.result', id, data: (await this.#run(call)) ?? null });
    } catch (error) {
      const errorCode = error instanceof NotAllowed ? ToolErrorCode.Unauthorized : ToolErrorCode.Internal;
      this.#say({ type: 'tool.result', id, error: messageOf(error), errorCode });
    }
  }

  #run({ id, tool, args, sessionId }: ToolCall): unknown {
    const session = this.gateway.sessions.get(sessionId);
    if (!session) throw new Error('the session has ended');
    const found = tools.find(({ definition }) => definition.name === tool);
    if (!found) throw new Error(`tap has no tool ${tool}`);
    return found.run(args, {
      gateway: this.gateway,
      session,
      post: (stream, event, level) => this.#post(session, { type: 'push', sessionId, event, stream, level }),
      ask: (question) => this.#ask(id, question),
    });
  }

  /** Not by the transport, which would not say that it is refused. */
  #post(session: Session, posted: Extract<ProviderInput, { type: 'push' }>): void {
    const { data, error } = providerMessages.push.safeParse(posted);
    if (error) throw new Error(firstIssue(error));
    const own = [...session.bindings].find(({ provider }) => provider.grant.kind === 'local' && provider.name === NAME);
    if (!own) throw new Error('the session has ended');
    push(own.provider, data, this.gateway.clock);
  }

  /** False when the call is cancelled meanwhile. */
  async #ask(id: string, message: string): Promise<boolean> {
    const askId = `${id}/${++this.#questions}`;
    try {
      return await new Promise<boolean>((resolve) => {
        this.#asked.set(askId, resolve);
        this.#askedFor.set(id, () => resolve(false));
        this.#say({ type: 'tool.ask', id, askId, question: { message, requestedSchema: { type: 'object', properties: {} } } });
      });
    } finally {
      this.#asked.delete(askId);
      this.#askedFor.delete(id);
    }
  }

  #say(message: ProviderInput): void {
    this.#transport.say(message);
  }
}
