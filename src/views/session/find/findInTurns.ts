/** Finds a text in the turns of a chat, a part at a time, so that no keystroke waits for it. */
import * as l10n from '../../../base/l10n.ts';
import type { TurnView } from '../transcript/transcript.ts';
import { foldedQuery } from './foldedText.ts';
import { searchParts } from './searchText.ts';

export interface Hit {
  turnId: string;
  /** The place of the turn, from 0. */
  turn: number;
  /** The part of the turn. */
  key: string;
  /** Which one in the part, from 0. */
  nth: number;
}

export interface Found {
  /** From old to new. */
  hits: readonly Hit[];
  /** There are more. */
  isCut: boolean;
}

export const NOTHING: Found = { hits: [], isCut: false };

const MAX_HITS = 5_000;

/** Yields after each part of a turn, which is the least that can be done at once, and returns what was found. */
export function* findInTurns(turns: readonly TurnView[], query: string): Generator<void, Found> {
  const wanted = foldedQuery(query);
  if (wanted === '') return NOTHING;
  const hits: Hit[] = [];
  for (const [turn, view] of turns.entries()) {
    for (const { key, text } of searchParts(view)) {
      let nth = 0;
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        if (hits.length === MAX_HITS) return { hits, isCut: true };
        hits.push({ turnId: view.id, turn, key, nth: nth++ });
      }
      yield;
    }
  }
  return { hits, isCut: false };
}

/** Where to go on when what was found has changed: the same hit, or else the first one from its turn on, or the first of all. -1: none. */
export function placeOfHit(hits: readonly Hit[], was: Pick<Hit, 'turn'> & Partial<Hit>): number {
  const same = hits.findIndex(({ turnId, key, nth }) => turnId === was.turnId && key === was.key && nth === was.nth);
  if (same >= 0) return same;
  // Turns may have come before it.
  const turn = hits.find(({ turnId }) => turnId === was.turnId)?.turn ?? was.turn;
  return hits.length === 0
    ? -1
    : Math.max(
        0,
        hits.findIndex((hit) => hit.turn >= turn),
      );
}

/** The next or the previous one, around the ends. */
export function nextPlace(count: number, at: number, step: 1 | -1): number {
  return count === 0 ? -1 : (at + step + count) % count;
}

/** "3 of 12", for the eye and the screen reader. */
export function placeText({ hits, isCut }: Found, at: number): string {
  if (hits.length === 0) return l10n.t('No results');
  const count = `${l10n.countText(hits.length)}${isCut ? '+' : ''}`;
  return l10n.t({ message: '{0} of {1}', comment: 'which match, and how many there are', args: [l10n.countText(at + 1), count] });
}
