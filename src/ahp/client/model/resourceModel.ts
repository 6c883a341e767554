/** A resource in the shapes of the newest dialect, whichever one its host speaks, and what a client can do to it. */
import type { Event } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { phrase, type Words } from '../../../base/text/phrase.ts';
import type { ClientActionType, StateAction } from '../../channels/actions.ts';
import type { ChannelStates } from '../../channels/channelReducers.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { Dialect, DialectName, ResourceKind } from '../../dialects/dialect.ts';
import type { PendingAction } from '../resources/pending.ts';
import type { DispatchOptions } from '../resources/resource.ts';
import {
  type Dispatched,
  notDone,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionStatus,
} from '../resources/subscription.ts';
import type { WhyNot } from '../resources/unsettled.ts';

/** What a client may do, as an action of the newest dialect. */
export type ClientAction = Extract<StateAction, { type: ClientActionType }>;

/** What a model needs of the client. */
export interface ModelContext {
  readonly clientId: string;
  readonly dialect: () => Dialect | undefined;
  dispatch(uri: URI, action: ActionLike, options?: DispatchOptions): Dispatched;
  restorePending(uri: URI, kind: ResourceKind, action: ActionLike, asked: ActionLike): Dispatched;
}

/** A resource in the words of its host, for a copy that reduces the actions of `onDidChange` by itself. */
export interface Mirrored {
  /** In AHP v1 a session holds its chat. */
  readonly kind: ResourceKind;
  /** Absent before the first connection. */
  readonly dialect?: DialectName;
  readonly confirmed: object | undefined;
  readonly pending: readonly PendingAction<ActionLike>[];
}

export class ResourceModel<K extends ResourceKind> implements Disposable {
  readonly onDidChange: Event<SubscriptionChange<ActionLike>>;

  constructor(
    readonly kind: K,
    protected readonly subscription: Subscription<object, ActionLike>,
    protected readonly context: ModelContext,
  ) {
    this.onDidChange = subscription.onDidChange;
  }

  get uri(): URI {
    return this.subscription.uri;
  }

  /** As the host has it, well formed; undefined until the first snapshot. The same reference while nothing of it changes. */
  get confirmed(): ChannelStates[K] | undefined {
    return this.#upgraded(this.subscription.confirmed);
  }

  /** `confirmed` and on top of it what is pending, without what is of unknown outcome. */
  get state(): ChannelStates[K] | undefined {
    return this.#upgraded(this.subscription.state);
  }

  /** `state`, or `confirmed` while only steps of calls are pending: for who looks at no calls there, because each such state is much to make. */
  get stateBesideCalls(): ChannelStates[K] | undefined {
    return this.subscription.pending.every(({ action }) => action.type.includes('/toolCall')) ? this.confirmed : this.state;
  }

  /** What was performed and is not settled, as it was asked for. */
  get pending(): readonly PendingAction<ClientAction>[] {
    return askedIn(this.subscription.pending);
  }

  get mirrored(): Mirrored {
    const dialect = this.context.dialect();
    const { confirmed, pending } = this.subscription;
    return { kind: dialect?.kindOf(this.kind) ?? this.kind, ...(dialect && { dialect: dialect.name }), confirmed, pending };
  }

  get status(): SubscriptionStatus {
    return this.subscription.status;
  }

  /** False where the host's protocol has nothing for it. There is no button then. */
  can(type: ClientActionType): boolean {
    return this.context.dialect()?.can(type) ?? false;
  }

  /**
   * Shown at once in `state`. Never throws. Where the host's protocol cannot say it, nothing is sent and the outcome is `rejected`.
   * `whyNot`: absent, it also goes out when a host that is away now is back, if it still has its purpose then.
   */
  perform(action: ClientAction, whyNot?: WhyNot): Dispatched {
    const actions = this.context.dialect()?.actionsFor(this.uri, action, this.subscription.state);
    if (!actions) return notSent(this.context.dialect() ? CANNOT : NOT_YET);
    const late = whyNot && { whyNot };
    const first = actions.slice(0, -1);
    for (const one of first) this.context.dispatch(this.uri, one, late);
    const last = actions.at(-1);
    return last
      ? this.context.dispatch(this.uri, last, { asked: action, ...late })
      : { clientSeq: 0, settled: Promise.resolve({ kind: 'confirmed' }) };
  }

  /**
   * What an earlier client of this window performed without learning its outcome. It is in `pending` until the host's state shows it, or
   * else the user decides.
   */
  restore(action: ClientAction): Dispatched {
    const last = this.context.dialect()?.actionsFor(this.uri, action, this.subscription.state)?.at(-1);
    return last ? this.context.restorePending(this.uri, this.kind, last, action) : notSent(NOT_YET);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  #upgraded(state: object | undefined): ChannelStates[K] | undefined {
    return state && this.context.dialect()?.upgrade(this.kind, state);
  }
}

/** As it was asked for. What was not asked for in the words of the newest dialect is left out. */
export function askedIn(pending: readonly PendingAction<ActionLike>[]): readonly PendingAction<ClientAction>[] {
  return pending.flatMap(({ asked, ...one }) => (asked ? [{ ...one, action: asked as ClientAction }] : []));
}

const CANNOT = phrase`The protocol of this host cannot do it.`;
const NOT_YET = phrase`There is no connection to the host yet.`;

/** `why`: a sentence. */
export function notSent(why: Words): Dispatched {
  return { clientSeq: 0, settled: Promise.resolve(notDone('rejected', phrase`Not sent. ${why}`)) };
}
