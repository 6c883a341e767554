/** What was sent to a client over HTTP: a client that has lost a stream gets the rest of it. The oldest is forgotten. */
import type { EventId, EventStore, StreamId } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** The SDK's name of the stream that answers GET. */
const STANDALONE: StreamId = '_GET_stream';
const MAX_EVENTS = 1_000;
/** In characters of JSON. A longer message is not kept, and does not push out others. */
const MAX_LENGTH = 2 * 1024 * 1024;

interface Kept {
  streamId: StreamId;
  message: JSONRPCMessage;
  length: number;
}

export class EventLog implements EventStore {
  readonly #events = new Map<EventId, Kept>();
  #length = 0;
  #count = 0;

  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId> {
    const eventId = `${streamId}:${++this.#count}`;
    const { length } = JSON.stringify(message);
    if (length > MAX_LENGTH) return Promise.resolve(eventId);
    this.#events.set(eventId, { streamId, message, length });
    this.#length += length;
    for (const [oldest, kept] of this.#events) {
      if (this.#events.size <= MAX_EVENTS && this.#length <= MAX_LENGTH) break;
      this.#events.delete(oldest);
      this.#length -= kept.length;
    }
    return Promise.resolve(eventId);
  }

  /** An id for the beginning of the stream that answers GET. */
  beginStandalone(): Promise<EventId> {
    return this.storeEvent(STANDALONE, {} as JSONRPCMessage);
  }

  /** Whether anything is kept of its stream. Of the one that answers GET, losing the oldest is no harm. */
  knows(eventId: EventId): boolean {
    const streamId = streamOf(eventId);
    return streamId === STANDALONE || [...this.#events.values()].some((kept) => kept.streamId === streamId);
  }

  async replayEventsAfter(eventId: EventId, { send }: Parameters<EventStore['replayEventsAfter']>[1]): Promise<StreamId> {
    for (const [id, { message }] of this.#after(eventId)) await send(id, message);
    return streamOf(eventId);
  }

  /** The rest of a stream whose request has its answer, so that nothing more follows, as events. Undefined for any other. */
  restOfEnded(eventId: EventId): string | undefined {
    const rest = this.#after(eventId);
    const last = rest.at(-1)?.[1].message;
    if (!last || !('result' in last || 'error' in last)) return undefined;
    return rest.map(([id, { message }]) => `event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`).join('');
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
