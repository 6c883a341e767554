/** Gets a host's list of sessions, page by page, within bounds: a host that never ends it must not be asked for ever. */
import type { Clock } from '../../base/clock.ts';
import { TimeoutError } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { ErrorCode } from '../common/errors.ts';

export interface Listing {
  readonly items: readonly unknown[];
  /** The host has more than that. */
  readonly isCut: boolean;
}

const MAX_LISTED = 100_000;
const MAX_PAGES = 1_000;
const PAGE_TIMEOUT_MS = 10_000;
/** For all pages. What waits for the list must not wait longer. */
const LISTING_MS = 30_000;
/** How often a listing begins again. */
const MAX_STALE_CURSORS = 3;

/**
 * Rejects when the host gives no list, or refuses a page of it. A cursor may lose its meaning between two pages, such as when the session that it
 * names is removed: then it begins again.
 */
export async function listAll(ask: (cursor: string | undefined, timeoutMs: number) => Promise<unknown>, clock: Clock): Promise<Listing> {
  const end = clock.now() + LISTING_MS;
  let items: unknown[] = [];
  let cursor: string | undefined;
  let stale = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const left = end - clock.now();
    if (left <= 0) break;
    let result: unknown;
    try {
      result = await ask(cursor, Math.min(PAGE_TIMEOUT_MS, left));
    } catch (error) {
      if (error instanceof TimeoutError && items.length > 0) break;
      const isStale = cursor !== undefined && error instanceof RpcError && error.code === ErrorCode.InvalidParams;
      if (!isStale || ++stale > MAX_STALE_CURSORS) throw error;
      items = [];
      cursor = undefined;
      continue;
    }
    const { items: more, nextCursor } = isRecord(result) ? result : {};
    if (!Array.isArray(more)) throw new Error('the host’s list of sessions cannot be read');
    items = items.concat(more);
    if (items.length > MAX_LISTED) return { items: items.slice(0, MAX_LISTED), isCut: true };
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return { items, isCut: false };
    cursor = nextCursor;
  }
  if (items.length === 0) throw new Error('the host’s list of sessions does not end');
  return { items, isCut: true };
}
