/** What a page asks before it has a session: `pageSessionWire.ts` says how. */
import type { IncomingMessage } from 'node:http';
import type * as z from 'zod/mini';
import {
  keyRequest,
  type keyAnswer,
  PAGE_KEY_PATH,
  PAGE_SESSION_PATH,
  type sessionAnswer,
  sessionRequest,
} from '../../views/portal/wire/pageSessionWire.ts';
import { type Access, hostOf, needsToken, ownHost, type Refusal } from './access.ts';

/** These need no session, and answer to the portal's own pages only. */
export const pageDoorPaths: ReadonlySet<string> = new Set([PAGE_KEY_PATH, PAGE_SESSION_PATH]);

/** No answer: no session is needed. */
export type PageDoorAnswer = { refusal: Refusal } | { answer: z.infer<typeof keyAnswer> | z.infer<typeof sessionAnswer> | undefined };

export function askPageDoor(access: Access, port: number, path: string, request: IncomingMessage, body: string): PageDoorAnswer {
  const refusal = access.pageRefusal(request);
  if (refusal) return { refusal };
  const { sessions } = access;
  if (!sessions) return { answer: undefined };
  const host = hostOf(request);
  if (path === PAGE_KEY_PATH) {
    const given = read(keyRequest, body);
    if (!given) return { refusal: unreadable };
    const key = sessions.keyFor(given.opening, host);
    return key === undefined ? { refusal: needsToken } : { answer: { key } };
  }
  const given = read(sessionRequest, body);
  if (!given) return { refusal: unreadable };
  const answer = sessions.answer(given.nonce, host, ownHost(port));
  return answer ? { answer } : { refusal: needsToken };
}

const unreadable: Refusal = { status: 400, error: 'BadRequest', message: 'This is not what a page of the portal asks.' };

function read<T>(schema: z.ZodMiniType<T>, body: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
