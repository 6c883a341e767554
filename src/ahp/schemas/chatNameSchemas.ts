/** The commands of `tapline.chatNames`, for the sides that make and answer them. */
import * as z from 'zod/mini';
import { MAX_CHAT_NAME } from '../chatNames.ts';
import { uri } from '../common/schemas.ts';

/** The commands of a client, by method. */
export const chatNameCommands = {
  /** `title`: not blank. */
  'tapline/renameChat': z.object({ chat: uri, title: z.string().check(z.regex(/\S/), z.maxLength(MAX_CHAT_NAME)) }),
};
export type ChatNameCommand = keyof typeof chatNameCommands;
export type ChatNameParams = z.infer<(typeof chatNameCommands)[ChatNameCommand]>;
