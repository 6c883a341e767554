/** Follows the store, and gives what each of its actions is in AHP v1. */
import type { ChannelState, ChannelStates } from '../../../ahp/channels/channelReducers.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { StateAction as V1Action } from '../../../ahp/v1/actions.ts';
import { changesUri, chatUri } from '../../state/chatUris.ts';
import type { AddedChannel, DispatchedAction, StateStore } from '../../state/stateStore.ts';
import { actionOut } from './actionsOut.ts';
import { v1Terminal, visibleName } from './names.ts';

export class Translation {
  /** The sessions and chats as of the action that is followed. The store may be further on, when a listener has dispatched. */
  readonly #followed = new Map<URI, ChannelState>();

  /** Of visible chats. Each delta asks for one, and reading it out of the URI costs more than the rest. */
  readonly #names = new Map<URI, URI>();

  constructor(
    private readonly store: Pick<StateStore, 'session' | 'chat'>,
    private readonly isV1Client: (clientId: string) => boolean,
  ) {}

  noteAdded({ channel, kind, state }: AddedChannel): void {
    if (kind === 'session' || kind === 'chat') this.#followed.set(channel, state);
  }
  forget(channel: URI): void {
    this.#followed.delete(channel);
    this.#names.delete(channel);
  }

  /** To be called for every action, in order. */
  follow({ kind, envelope: { channel }, after }: DispatchedAction): void {
    // A channel may be gone before its last actions are followed.
    if (after && (kind === 'session' || kind === 'chat') && this.store[kind](channel)) this.#followed.set(channel, after);
  }

  /** The action that was followed last, as far as AHP v1 has words for it. */
  translate({ envelope, kind, session, before, after }: DispatchedAction): readonly V1Action[] {
    const { channel, action } = envelope;
    if (!kind || !before || !after) return [];
    const around = { before, after } as { before: never; after: never };
    if (kind === 'root') return actionOut(action, around);
    if (kind === 'terminal') return actionOut(action, { name: v1Terminal(channel) });
    if (session === undefined) return [];
    if (kind === 'changeset') return channel === changesUri(session) ? actionOut(action, { session, ...around }) : [];
    if (kind === 'session')
      return actionOut(action, { session, ...around, chat: this.#stateOf('chat', chatUri(session)), isV1Client: this.isV1Client });
    const name = kind === 'chat' ? this.#nameOf(channel, session) : undefined;
    if (name === undefined) return [];
    return actionOut(action, { name, ...around, session: name === session ? this.#stateOf('session', session) : undefined });
  }

  #nameOf(chat: URI, session: URI): URI | undefined {
    const name = this.#names.get(chat) ?? visibleName(chat, session);
    if (name !== undefined && this.store.chat(chat)) this.#names.set(chat, name);
    return name;
  }

  #stateOf<K extends 'session' | 'chat'>(kind: K, channel: URI): ChannelStates[K] | undefined {
    return (this.#followed.get(channel) ?? this.store[kind](channel)) as ChannelStates[K] | undefined;
  }
}
