/**
 * The gateway's own provider, `tap`. A session's model uses it to read event streams, to post events and to see the state of the gateway.
 */
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { ToolErrorCode } from '../../tap/wire/errorCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { firstIssue } from '../../tap/wire/parsing/firstIssue.ts';
import { type ProviderInput, providerMessages } from '../../tap/wire/providerMessages.ts';
import { LocalProviderTransport } from './localTransport.ts';
import type { Gateway } from '../gateway.ts';
import { statusOf } from '../sessions/sessionStatus.ts';

const NAME = 'tap';
const DEFAULT_LAST = 20;
const LEVELS = ['keep', 'surface'] as const;

type ToolCall = Extract<GatewayMessage, { type: 'tool.call' }>;

const tools = [
  {
    name: 'tap_list_streams',
    description: 'List the event streams of this session: provider, stream, number of events kept, time of the newest.',
    parameters: { type: 'object', properties: {} },
  },
  {
    name: 'tap_query_stream',
    description: 'Read the newest events of one event stream of this session, newest first.',
    parameters: {
      type: 'object',
      properties: {
        provider: { type: 'string', description: 'Name of the provider' },
        stream: { type: 'string', description: 'Name of the stream; the provider’s name if left out' },
        last: { type: 'integer', minimum: 1, maximum: Limit.queryLast },
      },
      required: ['provider'],
    },
  },
  {
    name: 'tap_post_event',
    description: 'Post an event to a stream of tap in this session. `keep` only stores it, `surface` also shows it in the timeline.',
    parameters: {
      type: 'object',
      properties: { stream: { type: 'string', minLength: 1 }, event: { type: 'string', minLength: 1 }, level: { enum: LEVELS } },
      required: ['event'],
    },
  },
  {
    name: 'tap_gateway_status',
    description: 'The state of the gateway for this session: providers, tools, queues and last errors.',
    parameters: { type: 'object', properties: {} },
  },
];

/** Joins every session, also those that are registered later. */
export class TapProvider implements Disposable {
  readonly #transport: LocalProviderTransport;
  #isBound = false;

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
        if (message.active.length) this.#say({ type: 'hello', name: NAME, protocolVersion: 2, session: 'all', tools });
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
        return this.#call(message);
      case 'error':
        this.gateway.logger.warn(`the provider tap was refused: ${message.code} ${message.message}`);
        return;
      default:
    }
  }

  #call(call: ToolCall): void {
    try {
      this.#say({ type: 'tool.result', id: call.id, data: this.#run(call) });
    } catch (error) {
      this.#say({ type: 'tool.result', id: call.id, error: messageOf(error), errorCode: ToolErrorCode.Internal });
    }
  }

  #run({ tool, args, sessionId }: ToolCall): unknown {
    const session = this.gateway.sessions.get(sessionId);
    if (!session) throw new Error('the session has ended');
    switch (tool) {
      case 'tap_list_streams':
        return session.streams.all().map(({ owner, name, items }) => ({
          provider: owner.name,
          stream: name,
          events: items.length,
          newest: items.at(-1)?.ts ?? null,
        }));
      case 'tap_query_stream': {
        const { provider, stream = provider, last = DEFAULT_LAST } = args as { provider: string; stream?: string; last?: number };
        const found = session.streams.readNamed(provider, stream, last);
        if (!found) throw new Error(`there is no stream ${JSON.stringify(`${stream}@${provider}`)}`);
        return found;
      }
      case 'tap_post_event': {
        const { event, stream, level = 'keep' } = args as { event: string; stream?: string; level?: (typeof LEVELS)[number] };
        const push = { type: 'push', sessionId, event, stream, level } as const;
        const { error } = providerMessages.push.safeParse(push);
        if (error) throw new Error(firstIssue(error));
        this.#say(push);
        return 'posted';
      }
      case 'tap_gateway_status':
        return statusOf(session, this.gateway.status());
      default:
        throw new Error(`tap has no tool ${tool}`);
    }
  }

  #say(message: ProviderInput): void {
    this.#transport.say(message);
  }
}
