/** Plays a recording: answers a client from it, and replays the actions of each resource from the moment it is subscribed to. */
import { englishOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { JsonRpcPeer, RpcError } from '../../../base/jsonRpc.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { PROTOCOL_VERSIONS, VERSION_11 } from '../../channels/commands.ts';
import { ErrorCode } from '../../common/errors.ts';
import { ROOT_URI } from '../../common/root.ts';
import type { URI } from '../../common/shapes.ts';
import { requestKey, reduceRecorded, type ResourceTimeline, type Timeline, type TimelineStep } from './recordingTimeline.ts';
import type { Transport, TransportFactory } from '../transport.ts';

/** The longest pause between two steps, however long the recorded one was. */
const LONGEST_PAUSE_MS = 500;
/** What happened within this time is shown at once. */
const FRAME_MS = 20;
/** The close code of a service that restarts (1012). */
const SERVICE_RESTART = 1012;
const READ_ONLY = 'This is a recording. Nothing can be sent to it.';

export interface ReplayedHostOptions {
  readonly timeline: Timeline;
  /** Waits between two steps, at most half a second. */
  readonly pause: (ms: number) => Promise<void>;
  readonly logger: Logger;
}

interface Connection {
  clientId: string;
  readonly subscriptions: Set<URI>;
  tell(envelope: object): void;
  end(code: number, reason: string): void;
}

export class ReplayedHost implements Disposable {
  readonly #states = new Map<URI, object>();
  readonly #connections = new Set<Connection>();
  readonly #timeline: Timeline;
  #serverSeq = 0;
  #isDisposed = false;

  constructor(private readonly options: ReplayedHostOptions) {
    this.#timeline = options.timeline;
    // Every host has a root, but a log that was started late may hold none.
    if (!this.#timeline.resources.has(ROOT_URI)) this.#states.set(ROOT_URI, { agents: [] });
  }

  readonly transport: TransportFactory = async () => {
    const toClient = new Emitter<string>();
    const closed = new Emitter<{ code: number; reason: string }>();
    // As on a socket, a frame never arrives during the call that caused it.
    const send = (text: string) => queueMicrotask(() => this.#connections.has(connection) && toClient.fire(text));
    const peer = new JsonRpcPeer('server', send, {
      onRequest: (method, params) => this.#answer(connection, method, params),
      onNotification: (method, params) => this.#receive(connection, method, params),
      onInternalError: (method, error) => this.options.logger.error(`the recording could not answer ${method}: ${englishOf(error)}`),
    });
    const connection: Connection = {
      clientId: '',
      subscriptions: new Set(),
      tell: (envelope) => peer.notify('action', envelope),
      end: (code, reason) => {
        if (this.#connections.delete(connection)) closed.fire({ code, reason });
      },
    };
    this.#connections.add(connection);
    const transport: Transport = {
      send: (text) => queueMicrotask(() => this.#connections.has(connection) && peer.receive(text)),
      close: () => void this.#connections.delete(connection),
      onMessage: toClient.event,
      onClose: closed.event,
    };
    return transport;
  };

  dispose(): void {
    this.#isDisposed = true;
    for (const connection of [...this.#connections]) connection.end(SERVICE_RESTART, 'the replay was closed');
  }

  #answer(connection: Connection, method: string, params: unknown): unknown {
    const fields = isRecord(params) ? params : {};
    switch (method) {
      case 'initialize': {
        connection.clientId = String(fields['clientId']);
        const wanted = Array.isArray(fields['initialSubscriptions']) ? (fields['initialSubscriptions'] as unknown[]).map(String) : [];
        const known = wanted.filter((name) => this.#has(name));
        return {
          // What 1.1 has otherwise is `reconnect`, and a recording always starts over.
          protocolVersion: this.#timeline.version === VERSION_11 ? PROTOCOL_VERSIONS[0] : this.#timeline.version,
          serverSeq: this.#serverSeq,
          snapshots: known.map((name) => this.#subscribe(connection, name)),
        };
      }
      case 'reconnect':
        throw new RpcError(ErrorCode.NotFound, 'a recording always starts over');
      case 'subscribe': {
        const name = namedIn(fields);
        if (!this.#has(name)) throw new RpcError(ErrorCode.NotFound, 'The recording does not hold its state.');
        return { snapshot: this.#subscribe(connection, name) };
      }
      case 'listSessions':
        return { items: this.#timeline.sessions };
      case 'authenticate':
        return {};
      default:
        return this.#recordedAnswer(method, params);
    }
  }

  #recordedAnswer(method: string, params: unknown): unknown {
    const answer = this.#timeline.answers.get(requestKey(method, params));
    if (!answer) throw new RpcError(ErrorCode.NotFound, `${READ_ONLY} It holds no answer to this ${method}.`);
    if ('result' in answer) return answer.result;
    throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
  }

  #receive(connection: Connection, method: string, params: unknown): void {
    const fields = isRecord(params) ? params : {};
    if (method === 'unsubscribe') connection.subscriptions.delete(this.#timeline.dialect.nameOf(namedIn(fields)));
    if (method !== 'dispatchAction') return;
    const { action, clientSeq, channel } = fields;
    connection.tell({
      ...(channel !== undefined && { channel }),
      action,
      serverSeq: ++this.#serverSeq,
      origin: { clientId: connection.clientId, clientSeq },
      rejectionReason: READ_ONLY,
    });
  }

  #has(name: string): boolean {
    const uri = this.#timeline.dialect.nameOf(name);
    return this.#states.has(uri) || this.#timeline.resources.has(uri);
  }

  #subscribe(connection: Connection, name: string) {
    const uri = this.#timeline.dialect.nameOf(name);
    connection.subscriptions.add(uri);
    const recorded = this.#timeline.resources.get(uri);
    if (recorded && !this.#states.has(uri)) {
      this.#states.set(uri, recorded.first);
      void this.#play(uri, recorded);
    }
    return { resource: name, state: this.#states.get(uri), fromSeq: this.#serverSeq };
  }

  async #play(uri: URI, recorded: ResourceTimeline): Promise<void> {
    const { steps, startsAt } = recorded;
    let now = startsAt;
    for (let next = 0; next < steps.length;) {
      const first = steps[next] as TimelineStep;
      if (first.t > now) await this.options.pause(Math.min(first.t - now, LONGEST_PAUSE_MS));
      if (this.#isDisposed) return;
      now = first.t + FRAME_MS;
      const batch: TimelineStep[] = [];
      for (let step = steps[next]; step && step.t <= now; step = steps[++next]) batch.push(step);
      for (const step of batch) this.#take(uri, recorded, step);
    }
  }

  #take(uri: URI, { kind, first }: ResourceTimeline, step: TimelineStep): void {
    const { dialect } = this.#timeline;
    const readers = [...this.#connections].filter(({ subscriptions }) => subscriptions.has(uri));
    if ('state' in step) {
      this.#states.set(uri, step.state);
      // No action leads to that state. A client gets it by subscribing again.
      for (const connection of readers) connection.end(SERVICE_RESTART, 'the recorded host had another state from here on');
      return;
    }
    const { action, t } = step;
    const serverSeq = ++this.#serverSeq;
    this.#states.set(uri, reduceRecorded(dialect, kind, this.#states.get(uri) ?? first, [action], t));
    for (const { tell } of readers) tell({ ...dialect.placeOf(uri), action, serverSeq });
  }
}

/** The resource of a request: its channel, where requests have one. */
function namedIn({ channel, resource }: Readonly<Record<string, unknown>>): string {
  return String(channel ?? resource);
}
