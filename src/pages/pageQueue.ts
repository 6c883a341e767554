/**
 * Posts to a page at most once a frame, and only after the last post was received, so a slow page gets fewer and larger batches. Waiting
 * actions of one resource are merged into one message, a snapshot replaces what waits for its resource, and what was said anew replaces
 * what was said before.
 */
import type { ActionLike } from '../ahp/common/reducers/reducer.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { ActionsMessage, SnapshotMessage } from '../webviews/session/protocol.ts';
import type { ResourceMessage } from './resourceMessages.ts';

const FRAME_MS = 16;
/** Above it a snapshot is cheaper than the actions of a resource that wait. */
export const MAX_WAITING_ACTIONS = 20_000;
/** The same of a resource of which only the end is shown. */
export const MAX_WAITING_CHARACTERS = 1_000_000;

/** A message of a page's protocol that is about a resource. */
export interface OfResource<Out> {
  /** Of the resource. */
  readonly key: string;
  readonly message: ResourceMessage;
  /** Its snapshot has the end of it only, as that of a terminal. */
  readonly isCut: boolean;
  /** The protocol's message with this one in it. */
  wrap(message: ResourceMessage): Out;
  /** The current state, sent in place of too many actions. Undefined where the page does not follow the resource any more. */
  snapshot(): SnapshotMessage | undefined;
}

export interface PageQueueOptions<Out> {
  post(messages: Out[]): PromiseLike<unknown>;
  onError(error: unknown): void;
  ofResource(message: Out): OfResource<Out> | undefined;
  /** True for one that says all there is to say again, so that an earlier one of its type need not be sent. */
  saysAll(message: Out): boolean;
  /** True for one that is said once, also to a page that is told everything again. */
  isSaidOnce(message: Out): boolean;
}

interface Waiting<Out> {
  message: Out;
  /** Of which resource it is. */
  key?: string;
  /** Called once, when the page has it or will not get it. */
  settled?: () => void;
  /** Where more can be added to it. */
  actions?: { message: ActionsMessage; readonly all: ActionLike[]; characters: number; readonly of: OfResource<Out> };
}

export class PageQueue<Out extends { readonly type: string }> implements Disposable {
  #waiting: Waiting<Out>[] = [];
  #scheduled = false;
  #disposed = false;

  constructor(private readonly options: PageQueueOptions<Out>) {}

  send(message: Out): void {
    if (this.#disposed) return;
    const of = this.options.ofResource(message);
    if (of) this.#sendOfResource(message, of);
    else this.#sendOther(message);
    this.#schedule();
  }

  /** What answers the page. `settled` is called once, when the page has it or will not get it. */
  respond(message: Out, settled: () => void): void {
    if (this.#disposed) return settled();
    this.#waiting.push({ message, settled });
    this.#schedule();
  }

  /** What was told just now, before any of it is posted. */
  get waiting(): readonly Out[] {
    return this.#waiting.map(({ message }) => message);
  }

  /** For a page that was loaded again or shows another session. */
  clear(): void {
    const dropped = this.#waiting.filter(({ message }) => !this.options.isSaidOnce(message));
    this.#waiting = this.#waiting.filter(({ message }) => this.options.isSaidOnce(message));
    for (const { settled } of dropped) settled?.();
  }

  dispose(): void {
    this.#disposed = true;
    this.#waiting = [];
  }

  #sendOther(message: Out): void {
    const before = this.options.saysAll(message) ? this.#waiting.findIndex((other) => other.message.type === message.type) : -1;
    // In its place, since what follows may be about what it says.
    if (before >= 0) this.#waiting[before] = { message };
    else this.#waiting.push({ message });
  }

  #sendOfResource(message: Out, of: OfResource<Out>): void {
    if (of.message.type === 'snapshot') this.#drop(of.key);
    if (of.message.type !== 'actions') this.#waiting.push({ message, key: of.key });
    else this.#addActions(message, of, of.message);
  }

  #addActions(message: Out, of: OfResource<Out>, added: ActionsMessage): void {
    const last = this.#waiting.findLast(({ key }) => key === of.key)?.actions;
    const count = (last?.all.length ?? 0) + added.actions.length;
    const characters = of.isCut ? (last?.characters ?? 0) + charactersOf(added.actions) : 0;
    // One change of a flood may bring more than is shown.
    const snapshot = count > MAX_WAITING_ACTIONS || characters > MAX_WAITING_CHARACTERS ? of.snapshot() : undefined;
    if (snapshot) {
      this.#drop(of.key);
      this.#waiting.push({ message: of.wrap(snapshot), key: of.key });
    } else if (last) {
      for (const action of added.actions) last.all.push(action);
      last.characters = characters;
      last.message = { ...last.message, now: added.now, ...(added.pending && { pending: added.pending }) };
    } else {
      this.#waiting.push({ message, key: of.key, actions: { message: added, all: [...added.actions], characters, of } });
    }
  }

  #drop(key: string): void {
    this.#waiting = this.#waiting.filter((other) => other.key !== key);
  }

  #schedule(): void {
    if (this.#scheduled || this.#disposed) return;
    this.#scheduled = true;
    setTimeout(() => void this.#flush(), FRAME_MS);
  }

  async #flush(): Promise<void> {
    const messages = this.#waiting.map(({ message, actions }) => {
      return actions ? actions.of.wrap({ ...actions.message, actions: actions.all }) : message;
    });
    const settled = this.#waiting.flatMap((one) => one.settled ?? []);
    this.#waiting = [];
    try {
      if (messages.length > 0 && !this.#disposed) await this.options.post(messages);
    } catch (error) {
      this.options.onError(error);
    }
    for (const one of settled) one();
    this.#scheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
  }
}

/** Of the texts that stand in them, which is most of what a terminal or an answer brings. */
function charactersOf(actions: readonly ActionLike[]): number {
  let count = 0;
  for (const action of actions) for (const value of Object.values(action)) if (typeof value === 'string') count += value.length;
  return count;
}
