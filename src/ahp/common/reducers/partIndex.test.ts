import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Immer } from 'immer';
import { PartIndexes } from './partIndex.ts';

type Part = { kind: 'markdown'; id: string } | { kind: 'toolCall'; toolCall: { toolCallId: string; status: string } };

const text = (id: string): Part => ({ kind: 'markdown', id });
const call = (toolCallId: string, status = 'running'): Part => ({ kind: 'toolCall', toolCall: { status, toolCallId } });

/** What a search finds. */
const firstOf = (parts: readonly Part[], id: string) =>
  parts.findIndex((part) => (part.kind === 'markdown' ? part.id : part.toolCall.toolCallId) === id);
const callsOf = (parts: readonly Part[], id: string) => parts.filter((part) => part.kind === 'toolCall' && part.toolCall.toolCallId === id);

const waits = (part: Part): boolean => part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation';
const indexes = new PartIndexes<Part>(waits);
const immer = new Immer({ autoFreeze: false });

/** The list that a batch makes of one. */
function changed(parts: readonly Part[], recipe: (draft: Part[]) => void): readonly Part[] {
  let draft: Part[] = [];
  const next = immer.produce(parts, (list) => {
    draft = list as Part[];
    recipe(draft);
    indexes.settle(draft);
  });
  indexes.keep(draft, next);
  return next;
}

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
        const lists: (readonly Part[])[] = [start];
        for (const { list, part: next, replaces, place, status } of steps) {
          const from = lists[list % lists.length] as readonly Part[];
          const at = from.length > 0 ? place % from.length : -1;
          const old = from[at];
          if (!replaces) lists.push(changed(from, (parts) => indexes.push(parts, next)));
          else if (old)
            lists.push(
              changed(from, (parts) => indexes.change(parts, at, (part) => part.kind === 'toolCall' && (part.toolCall.status = status))),
            );
          for (const parts of lists) {
            assert.equal(indexes.hasWaiting(parts), parts.some(waits));
            for (const id of ids) {
              assert.equal(indexes.firstPlaceOf(parts, id), firstOf(parts, id));
              const calls = new Set<Part>();
              indexes.changeCalls(parts, id, (part) => calls.add(part));
              assert.deepEqual(calls, new Set(callsOf(parts, id)));
            }
          }
        }
      }),
    );
  });

  it('finds nothing by an id of another shape', () => {
    assert.equal(indexes.firstPlaceOf([text('a')], undefined), -1);
    indexes.changeCalls([call('a')], { toString: 1 }, () => assert.fail());
  });

  it('finds an id that a host sent 200,000 times', () => {
    const parts = Array.from({ length: 200_000 }, () => text('a'));
    assert.equal(indexes.firstPlaceOf(parts, 'a'), 0);
  });
});
