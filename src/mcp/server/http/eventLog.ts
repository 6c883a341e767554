/** What was sent to a client over HTTP: a client that has lost a stream gets the rest of it. The oldest is forgotten. */
import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ErrorCode, type JSONRPCMessage, type JSONRPCResponse, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { dropOldest } from '../../../base/dropOldest.ts';

/** The SDK's name of the stream that answers GET. */
const STANDALONE: StreamId = '_GET_stream';
const MAX_EVENTS = 1_000;
/** In characters of JSON. A longer message is not kept, and does not push out others; in place of an answer an error is. */
const MAX_LENGTH = 2 * 1024 * 1024;
/** Of a request. Real clients count. A longer one is not remembered. */
const MAX_ID_LENGTH = 200;
const TOO_LARGE = 'The answer was too large to be sent again after its connection was lost. The call may have had effect.';

interface Kept {
  streamId: StreamId;
  message: JSONRPCMessage;
  length: number;
}

export class EventLog implements EventStore {
  readonly #events = new Map<EventId, Kept>();
  /** The requests of a POST that have no answer yet, by each of them. Those that are cancelled never get one. */
  readonly #open = new Map<RequestId, Set<RequestId>>();
  /** The number of the last event of streams whose requests all have their answers. */
  readonly #ended = new Map<StreamId, number>();
  #length = 0;
  #count = 0;

  /** `ids`: of the requests that came in one POST until now. */
  requested(id: RequestId, ids: Set<RequestId>): void {
    if (!isShort(id)) return;
    this.#open.set(id, ids.add(id));
    dropOldest(this.#open, MAX_EVENTS);
  }

  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const eventId = `${streamId}:${++this.#count}`;
    if (isAnswer(message)) this.#answered(streamId, message.id);
    const kept = { streamId, message, length: JSON.stringify(message).length };
    const fits = kept.length <= MAX_LENGTH ? kept : standIn(kept);
    if (fits) this.#keep(eventId, fits);
    for (const [oldest, old] of this.#events) {
      const isTooMany = this.#events.size > MAX_EVENTS;
      if (!isTooMany && this.#length <= MAX_LENGTH) break;
      const left = isTooMany ? undefined : standIn(old);
      this.#length -= old.length;
      if (left) this.#keep(oldest, left);
      else this.#events.delete(oldest);
    }
    return Promise.resolve(eventId);
  }

  #keep(eventId: EventId, kept: Kept): void {
    this.#events.set(eventId, kept);
    this.#length += kept.length;
  }

  #answered(streamId: StreamId, id: RequestId | undefined): void {
    const open = id === undefined ? undefined : this.#open.get(id);
    if (id !== undefined) {
      this.#open.delete(id);
      open?.delete(id);
    }
    if (open?.size) return;
    this.#ended.set(streamId, this.#count);
    dropOldest(this.#ended, MAX_EVENTS);
  }

  /** An id for the beginning of the stream that answers GET. */
  beginStandalone(): Promise<EventId> {
    return this.storeEvent(STANDALONE, {} as JSONRPCMessage);
  }

  /** Whether anything is kept of its stream, or it was the last of it. Of the one that answers GET, losing the oldest is no harm. */
  knows(eventId: EventId): boolean {
    const streamId = streamOf(eventId);
    if (streamId === STANDALONE || this.#ended.get(streamId) === countOf(eventId)) return true;
    return [...this.#events.values()].some((kept) => kept.streamId === streamId);
  }

  async replayEventsAfter(eventId: EventId, { send }: Parameters<EventStore['replayEventsAfter']>[1]): Promise<StreamId> {
    for (const [id, { message }] of this.#after(eventId)) await send(id, message);
    return streamOf(eventId);
  }

  /** The rest of a stream whose requests have their answers, so that nothing more follows, as events. Undefined for any other. */
  restOfEnded(eventId: EventId): string | undefined {
    if (!this.#ended.has(streamOf(eventId))) return undefined;
    return this.#after(eventId)
      .map(([id, { message }]) => `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`)
      .join('');
  }

  #after(eventId: EventId): [EventId, Kept][] {
    const [streamId, count] = [streamOf(eventId), countOf(eventId)];
    return [...this.#events].filter(
      ([id, kept]) => kept.streamId === streamId && countOf(id) > count && Object.keys(kept.message).length > 0,
    );
  }
}

/** An id is `<stream>:<count>`. */
const streamOf = (eventId: EventId): StreamId => eventId.slice(0, Math.max(0, eventId.lastIndexOf(':')));
const countOf = (eventId: EventId): number => Number(eventId.slice(eventId.lastIndexOf(':') + 1));

const isAnswer = (message: JSONRPCMessage): message is JSONRPCResponse => 'result' in message || 'error' in message;

const isShort = (id: RequestId) => String(id).length <= MAX_ID_LENGTH;

/** What is kept of an answer that is too long: without one its client would wait for ever. Undefined for anything else. */
function standIn({ streamId, message, length }: Kept): Kept | undefined {
  if (!isAnswer(message) || message.id === undefined || !isShort(message.id)) return undefined;
  const error: JSONRPCMessage = { jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InternalError, message: TOO_LARGE } };
  const shorter = JSON.stringify(error).length;
  return shorter < length ? { streamId, message: error, length: shorter } : { streamId, message, length };
}
