import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstPlaceOf, placesOfCall, withPart, withPartAt } from './partPlaces.ts';
import type { ResponsePart } from './session.ts';

const text = (id: string, content = ''): ResponsePart => ({ kind: 'markdown', id, content });
const call = (toolCallId: string): ResponsePart => ({
  kind: 'toolCall',
  toolCall: { status: 'streaming', toolCallId, toolName: 'bash', displayName: 'Run' },
});

/** What a search finds. */
const firstOf = (parts: readonly ResponsePart[], id: string) => parts.findIndex((part) => part.kind === 'markdown' && part.id === id);
const callsOf = (parts: readonly ResponsePart[], id: string) =>
  parts.flatMap((part, place) => (part.kind === 'toolCall' && part.toolCall.toolCallId === id ? [place] : []));

describe('the places of parts', () => {
  it('are those that a search finds, in lists that went on differently from one beginning', () => {
    const ids = ['a', 'b', 'c'];
    const part = fc.oneof(
      fc.constantFrom(...ids).map((id) => text(id)),
      fc.constantFrom(...ids).map(call),
    );
    const step = fc.record({ list: fc.nat(), part, replaces: fc.boolean(), place: fc.nat() });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.array(step, { maxLength: 30 }), (start, steps) => {
        const lists: (readonly ResponsePart[])[] = [start];
        for (const { list, part: next, replaces, place } of steps) {
          const from = lists[list % lists.length] as readonly ResponsePart[];
          const at = from.length > 0 ? place % from.length : -1;
          const old = from[at];
          if (!replaces) lists.push(withPart(from, next));
          else if (old) lists.push(withPartAt(from, at, { ...old }));
          for (const parts of lists) {
            for (const id of ids) {
              assert.equal(firstPlaceOf(parts, id), firstOf(parts, id));
              assert.deepEqual(
                placesOfCall(parts, id).sort((a, b) => a - b),
                callsOf(parts, id),
              );
            }
          }
        }
      }),
    );
  });

  it('are none for an id of any other shape', () => {
    assert.equal(firstPlaceOf([text('a')], undefined), -1);
    assert.deepEqual(placesOfCall([call('a')], { toString: 1 }), []);
  });
});
