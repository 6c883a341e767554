/**
 * A vendor extension: a client gives a chat another name, for which the protocol has no action. Both sides announce it in `_meta` of
 * `initialize`. Clients then see `session/chatUpdated`, or `session/titleChanged` for the first chat, whose name is that of its session.
 */
import * as z from 'zod/mini';
import { isRecord } from '../base/isRecord.ts';
import { uri } from './common/schemas.ts';

/** Key in `_meta` of `initialize` and of its result. The value is the version of this extension. */
const CHAT_NAMES = 'tapline.chatNames';
const VERSION = 1;
/** Characters of a name. */
export const MAX_CHAT_NAME = 200;

/** The commands of a client, by method. */
export const chatNameCommands = {
  /** `title`: not blank. */
  'tapline/renameChat': z.object({ chat: uri, title: z.string().check(z.regex(/\S/), z.maxLength(MAX_CHAT_NAME)) }),
};
export type ChatNameCommand = keyof typeof chatNameCommands;
export type ChatNameParams = z.infer<(typeof chatNameCommands)[ChatNameCommand]>;

export const chatNamesMeta: Readonly<Record<string, unknown>> = { [CHAT_NAMES]: VERSION };

export function hasChatNames(meta: unknown): boolean {
  return isRecord(meta) && meta[CHAT_NAMES] === VERSION;
}
