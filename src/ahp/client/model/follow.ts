/** Reads the resource that another one names, for as long as it names it: the chat of a session, or the annotations of one. */
import { Emitter, type Event } from '../../../base/event.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import type { URI } from '../../common/shapes.ts';

/** What is needed of a model. */
interface Model extends Disposable {
  readonly uri: URI;
  readonly onDidChange: Event<unknown>;
}

/** `source` is not disposed with it. After the disposal what was named stays readable, and nothing is fired. */
export interface Follower<M extends Model> extends Disposable {
  /** Undefined while nothing is named. */
  readonly model: M | undefined;
  /** The source has changed, or what it names, or it names another one. That was begun before the event, and the one before ends after it. */
  readonly onDidChange: Event<void>;
  /** For a `select` that looks at more than the source: that has changed. */
  look(): void;
}

/**
 * `select`: the URI of what is to be read now, by the state of the source. `current`: what is read, for a `select` that keeps it. It is asked
 * at each change of the source. `open` makes the model, which belongs to the follower.
 */
export function follow<M extends Model>(
  source: Pick<Model, 'uri' | 'onDidChange'>,
  select: (current: URI | undefined) => URI | undefined,
  open: (uri: URI) => M,
): Follower<M> {
  const follower = new NamedModel(source, select, open);
  follower.begin();
  return follower;
}

class NamedModel<M extends Model> implements Follower<M> {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  #named: { readonly model: M; readonly listening: Disposable | undefined } | undefined;

  constructor(
    private readonly source: Pick<Model, 'uri' | 'onDidChange'>,
    private readonly select: (current: URI | undefined) => URI | undefined,
    private readonly open: (uri: URI) => M,
  ) {}

  get model(): M | undefined {
    return this.#named?.model;
  }

  begin(): void {
    this.#store.add(this.source.onDidChange(() => this.#update(true)));
    this.#update(false);
  }

  look(): void {
    this.#update(false);
  }

  dispose(): void {
    if (this.#store.isDisposed) return;
    this.#store.dispose();
    this.#end(this.#named);
  }

  #update(isChanged: boolean): void {
    if (this.#store.isDisposed) return;
    // Reading a state tells of what has arrived, so that this may be called again meanwhile, and has named another one by then.
    const uri = this.select(this.model?.uri);
    if (this.#store.isDisposed) return;
    const before = this.#named;
    if (uri === before?.model.uri) {
      if (isChanged) this.#onDidChange.fire();
      return;
    }
    before?.listening?.dispose();
    this.#named = uri === undefined ? undefined : this.#begin(uri);
    this.#onDidChange.fire();
    // Whoever heard of it may want to read on there, without a new snapshot.
    before?.model.dispose();
  }

  #begin(uri: URI): { model: M; listening: Disposable | undefined } {
    const model = this.open(uri);
    // In AHP v1 a session is its only chat, and tells of it.
    return { model, listening: uri === this.source.uri ? undefined : model.onDidChange(() => this.#onDidChange.fire()) };
  }

  #end(named: { model: M; listening: Disposable | undefined } | undefined): void {
    named?.listening?.dispose();
    named?.model.dispose();
  }
}
