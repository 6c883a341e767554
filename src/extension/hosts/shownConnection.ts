/** How a host's connection is shown: one view for all who show it, so that no two of them count different seconds. */
import type { ConnectionState } from '../../ahp/client/connection/connectionState.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { hostConnectionView, type HostConnectionView, nextViewIn } from '../../views/hostConnectionView.ts';

export interface ConnectionSource {
  readonly state: ConnectionState;
  readonly onDidChangeState: Event<ConnectionState>;
}

export class ShownConnection implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidCountDown = this.#store.add(new Emitter<void>());
  /** Only the seconds to the next attempt are others; a change of the connection itself is told by its source. */
  readonly onDidCountDown = this.#onDidCountDown.event;
  #view: HostConnectionView;
  #timer: Disposable | undefined;

  constructor(
    private readonly source: ConnectionSource,
    private readonly isOwn: boolean,
    private readonly clock: Clock,
  ) {
    this.#view = this.#look();
    this.#store.add(source.onDidChangeState(() => (this.#view = this.#look())));
  }

  get view(): HostConnectionView {
    return this.#view;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #look(): HostConnectionView {
    const now = this.clock.now();
    const { state } = this.source;
    this.#timer?.dispose();
    const delay = nextViewIn(state, now);
    this.#timer = delay === undefined ? undefined : this.clock.setTimer(() => this.#count(), delay);
    return hostConnectionView(state, now, this.isOwn);
  }

  #count(): void {
    const { text } = this.#view;
    this.#view = this.#look();
    // A timer may come a moment early: then the same second is left, and the next timer comes at once.
    if (this.#view.text !== text) this.#onDidCountDown.fire();
  }
}
