/**
 * Posts to a webview at most once a frame, and only after the last post was received, so a slow page gets fewer and larger batches. Waiting
 * actions of one resource are merged into one message, a snapshot replaces what waits for its resource, and what the bridge knows replaces what it knew.
 */
import type { Disposable } from '../../base/lifecycle.ts';
import type { ActionsMessage, ExtensionMessage, SnapshotMessage } from '../../webviews/session/protocol.ts';

const FRAME_MS = 16;
/** Above this number a snapshot is cheaper than the actions. */
export const MAX_WAITING_ACTIONS = 20_000;

export class WebviewQueue implements Disposable {
  #waiting: ExtensionMessage[] = [];
  #scheduled = false;
  #disposed = false;

  constructor(
    private readonly post: (messages: ExtensionMessage[]) => Thenable<unknown>,
    private readonly onError: (error: unknown) => void,
    /** The current state, sent in place of too many actions. */
    private readonly snapshotOf: (uri: string) => SnapshotMessage | undefined,
  ) {}

  send(message: ExtensionMessage): void {
    if (message.type === 'snapshot') {
      this.#waiting = this.#waiting.filter((other) => !(isOfResource(other) && other.uri === message.uri));
    }
    if (message.type === 'bridge') this.#waiting = this.#waiting.filter(({ type }) => type !== 'bridge');
    const merged = message.type === 'actions' && this.#mergeIntoWaiting(message);
    if (!merged) this.#waiting.push(message);
    this.#schedule();
  }

  /** For a page that was loaded again or shows another session. What became of a start is said once. */
  clear(): void {
    this.#waiting = this.#waiting.filter(({ type }) => type === 'startEnded');
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
