import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstPlaceOf, hasWaitingCall, placesOfCall, withPart, withPartAt } from './partIndex.ts';
import type { ResponsePart } from '../session.ts';

const text = (id: string, content = ''): ResponsePart => ({ kind: 'markdown', id, content });
const call = (toolCallId: string, status: 'running' | 'pending-confirmation' = 'running'): ResponsePart => ({
  kind: 'toolCall',
  toolCall: { status, toolCallId, toolName: 'bash', displayName: 'Run', invocationMessage: '', confirmed: 'not-needed' },
});

/** What a search finds. */
const firstOf = (parts: readonly ResponsePart[], id: string) => parts.findIndex((part) => part.kind === 'markdown' && part.id === id);
const callsOf = (parts: readonly ResponsePart[], id: string) =>
  parts.flatMap((part, place) => (part.kind === 'toolCall' && part.toolCall.toolCallId === id ? [place] : []));

const waits = (part: ResponsePart): boolean => part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation';

describe('the index of parts', () => {
  it('finds what a search finds, also in lists that differ from a common start on', () => {
    const ids = ['a', 'b', 'c'];
    const part = fc.oneof(
      fc.constantFrom(...ids).map((id) => text(id)),
      fc.tuple(fc.constantFrom(...ids), fc.constantFrom('running', 'pending-confirmation')).map(([id, status]) => call(id, status)),
    );
    const step = fc.record({
      list: fc.nat(),
      part,
      replaces: fc.boolean(),
      place: fc.nat(),
      status: fc.constantFrom('running', 'pending-confirmation'),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.array(step, { maxLength: 30 }), (start, steps) => {
        const lists: (readonly ResponsePart[])[] = [start];
        for (const { list, part: next, replaces, place, status } of steps) {
          const from = lists[list % lists.length] as readonly ResponsePart[];
          const at = from.length > 0 ? place % from.length : -1;
          const old = from[at];
          if (!replaces) lists.push(withPart(from, next));
          else if (old) lists.push(withPartAt(from, at, old.kind === 'toolCall' ? call(old.toolCall.toolCallId, status) : { ...old }));
          for (const parts of lists) {
            assert.equal(hasWaitingCall(parts), parts.some(waits));
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

  it('finds nothing by an id of another shape', () => {
    assert.equal(firstPlaceOf([text('a')], undefined), -1);
    assert.deepEqual(placesOfCall([call('a')], { toString: 1 }), []);
  });

  it('finds an id that a host sent 200,000 times', () => {
    const parts = Array.from({ length: 200_000 }, () => text('a'));
    assert.equal(firstPlaceOf(parts, 'a'), 0);
  });
});
