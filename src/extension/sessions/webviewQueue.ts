/**
 * Posts to a webview at most once a frame, and not before it took the last post: a slow page gets fewer, larger batches. Actions of
 * one resource that wait together become one message; a snapshot makes what waited for its resource needless.
 */
import type { Disposable } from '../../base/lifecycle.ts';
import type { ActionsMessage, ExtensionMessage, SnapshotMessage } from '../../webviews/session/protocol.ts';

const FRAME_MS = 16;
/** With more waiting, the whole state is cheaper than what led to it. */
export const MAX_WAITING_ACTIONS = 20_000;

export class WebviewQueue implements Disposable {
  #waiting: ExtensionMessage[] = [];
  #scheduled = false;
  #disposed = false;

  constructor(
    private readonly post: (messages: ExtensionMessage[]) => Thenable<unknown>,
    private readonly onError: (error: unknown) => void,
    /** The state of now, to take the place of more actions than a page should be sent. */
    private readonly snapshotOf: (uri: string) => SnapshotMessage | undefined,
  ) {}

  send(message: ExtensionMessage): void {
    if (message.type === 'snapshot') {
      this.#waiting = this.#waiting.filter((other) => !(isOfResource(other) && other.uri === message.uri));
    }
    const merged = message.type === 'actions' && this.#mergeIntoWaiting(message);
    if (!merged) this.#waiting.push(message);
    this.#schedule();
  }

  /** Forgets what waits: the page has begun anew. */
  clear(): void {
    this.#waiting = [];
  }

  dispose(): void {
    this.#disposed = true;
    this.#waiting = [];
  }

  #mergeIntoWaiting(message: ActionsMessage): boolean {
    const index = this.#waiting.findLastIndex((other) => isOfResource(other) && other.uri === message.uri);
    const last = this.#waiting[index];
    if (last?.type !== 'actions') return false;
    const snapshot = last.actions.length + message.actions.length > MAX_WAITING_ACTIONS ? this.snapshotOf(message.uri) : undefined;
    if (snapshot) {
      this.#waiting = this.#waiting.filter((other) => !(isOfResource(other) && other.uri === message.uri));
      this.#waiting.push(snapshot);
      return true;
    }
    this.#waiting[index] = {
      ...last,
      actions: [...last.actions, ...message.actions],
      now: message.now,
      ...((message.pending ?? last.pending) && { pending: message.pending ?? last.pending }),
    };
    return true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#disposed) return;
    this.#scheduled = true;
    setTimeout(() => void this.#flush(), FRAME_MS);
  }

  async #flush(): Promise<void> {
    const messages = this.#waiting;
    this.#waiting = [];
    try {
      if (messages.length && !this.#disposed) await this.post(messages);
    } catch (error) {
      this.onError(error);
    }
    this.#scheduled = false;
    if (this.#waiting.length) this.#schedule();
  }
}

function isOfResource(message: ExtensionMessage): message is Extract<ExtensionMessage, { uri: string }> {
  return message.type === 'snapshot' || message.type === 'actions' || message.type === 'status';
}
