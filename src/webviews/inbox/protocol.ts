/**
 * The messages between the page of the inbox ("Needs You") and the extension. Its cards are those of the session view and speak its protocol,
 * each for its own session. The extension posts lists of messages, in order; the page posts one message at a time, and may
 * send `ready` at any time to get everything again.
 */
import * as z from 'zod/mini';
import { focusPlace } from '../focus/focusPlace.ts';
import type { WindowItem } from '../../views/attention/attentionItems.ts';
import type { UnknownHosts } from '../../views/attention/inboxView.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { CallProvider } from '../../views/session/toolCall/callProvider.ts';
import {
  type ActionsMessage,
  copy,
  inSession,
  openExternal,
  type RejectedMessage,
  type ResponseMessage,
  type SnapshotMessage,
  type StatusMessage,
} from '../session/protocol.ts';

export interface InboxItem extends WindowItem {
  /** Set for Tapline's own host. */
  ownHost?: true;
  /** What this window's bridge knows of who runs the calls of the session. */
  bridge?: { clientId: string; calls: readonly CallProvider[] };
}

/** All that waits and is not on screen in a session, in the order in which it is shown. Replaces what was sent before. */
export interface ItemsMessage {
  type: 'items';
  items: readonly InboxItem[];
  hosts: UnknownHosts;
  /** There is more than one host, so each item says which one it is of. */
  severalHosts: boolean;
  /** More waits, in sessions that are on screen. */
  onScreen: boolean;
}
/** For the cards of one session. */
export interface InSessionMessage {
  type: 'inSession';
  session: SessionRef;
  message: SnapshotMessage | ActionsMessage | StatusMessage | RejectedMessage | ResponseMessage;
}
/** Moves the focus to an item: the one after the focused one, or the first. */
export interface FocusItemMessage {
  type: 'focus';
  target: 'next' | 'first';
}
/** An answer key was pressed. It is for the card that has the focus. */
export interface AnswerMessage {
  type: 'answer';
  how: 'approve' | 'deny';
}
export type InboxExtensionMessage = ItemsMessage | InSessionMessage | FocusItemMessage | AnswerMessage;

const inboxMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** What of the page has the keyboard focus. */
  z.object({ type: z.literal('focus'), place: focusPlace }),
  /** What a card does, checked as in the session view. The extension takes only what an item that waits allows. */
  inSession,
  openExternal,
  copy,
  /** What to do with an item by its id. */
  z.object({ type: z.literal(['open', 'markRead', 'signIn', 'notNow']), id: z.string() }),
]);
export type InboxMessage = z.infer<typeof inboxMessage>;

/** A fresh message with no member that the protocol does not know. Undefined for anything malformed. */
export function parseInboxMessage(value: unknown): InboxMessage | undefined {
  return inboxMessage.safeParse(value).data;
}
