/** The view model of a host's connection, shared by all that show it, so that their countdowns agree. */
import type { ConnectionState } from '../../ahp/client/connection/connectionState.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { hostConnectionView, type HostConnectionView, nextViewIn } from '../../views/hosts/hostConnectionView.ts';
import type { HostKind, HostProblem } from '../../views/hosts/hostProblem.ts';

export interface ConnectionSource {
  readonly state: ConnectionState;
  readonly onDidChangeState: Event<ConnectionState>;
}

export class ShownConnection implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidCountDown = this.#store.add(new Emitter<void>());
  /** Only the seconds to the next attempt changed. A change of the connection is an event of its source. */
  readonly onDidCountDown = this.#onDidCountDown.event;
  #view: HostConnectionView;
  #timer: Disposable | undefined;

  constructor(
    private readonly source: ConnectionSource,
    private readonly kind: HostKind,
    private readonly clock: Clock,
    /** Of the connection that this one replaces. It is shown until it is known whether it is solved: rows do not move under the pointer. */
    private readonly before?: HostProblem,
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
    const view = hostConnectionView(state, now, this.kind);
    return state.kind === 'connecting' && this.before ? { ...view, problem: this.before } : view;
  }

  #count(): void {
    const { text } = this.#view;
    this.#view = this.#look();
    // A timer may fire a moment early, in the same second. The next timer then fires at once.
    if (this.#view.text !== text) this.#onDidCountDown.fire();
  }
}
