/**
 * A vendor extension: a client gives a chat another name, for which the protocol has no action. Both sides announce it in `_meta` of
 * `initialize`. Clients then see `session/chatUpdated`, or `session/titleChanged` for the first chat, whose name is that of its session.
 */
import { isRecord } from '../base/isRecord.ts';

/** Key in `_meta` of `initialize` and of its result. The value is the version of this extension. */
const CHAT_NAMES = 'tapline.chatNames';
const VERSION = 1;
/** Characters of a name. */
export const MAX_CHAT_NAME = 200;

export const chatNamesMeta: Readonly<Record<string, unknown>> = { [CHAT_NAMES]: VERSION };

export function hasChatNames(meta: unknown): boolean {
  return isRecord(meta) && meta[CHAT_NAMES] === VERSION;
}
