import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AnnotationsState } from '../../ahp/channels/annotations.ts';
import { wellFormed } from '../../ahp/wellFormed/wellFormed.ts';
import { annotationThreads } from './annotationThreads.ts';

const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 4 } };
const annotation = (fields: object = {}) => ({
  ...{ id: 'a', origin: { session: 's:/1' }, resource: 'file:///w/a.ts', range, resolved: false },
  ...{ entries: [{ id: 'e', text: 'Why?' }], ...fields },
});
const stateOf = (...annotations: unknown[]) => ({ annotations }) as AnnotationsState;
const threadsOf = (state: AnnotationsState, confirmed: AnnotationsState | undefined = state) =>
  annotationThreads(wellFormed.annotations(state), confirmed && wellFormed.annotations(confirmed));

describe('Annotations as threads', () => {
  it('have a file, a range, comments, and whether they are resolved', () => {
    const text = { markdown: '*Here*' };
    assert.deepEqual(
      threadsOf(stateOf(annotation(), annotation({ id: 'b', range: undefined, resolved: true, entries: [{ id: 'f', text }] }))),
      {
        threads: [
          {
            ...{ id: 'a', file: 'file:///w/a.ts', range, isResolved: false, earlier: 0, isConfirmed: true },
            comments: [{ id: 'e', text: 'Why?', isMarkdown: false, isCut: false, isConfirmed: true }],
          },
          {
            ...{ id: 'b', file: 'file:///w/a.ts', isResolved: true, earlier: 0, isConfirmed: true },
            comments: [{ id: 'f', text: '*Here*', isMarkdown: true, isCut: false, isConfirmed: true }],
          },
        ],
        omitted: 0,
      },
    );
  });

  it('say what the host does not have yet', () => {
    const before = stateOf(annotation());
    const after = stateOf(
      annotation({
        resolved: true,
        entries: [
          { id: 'e', text: 'Why not?' },
          { id: 'f', text: 'So.' },
        ],
      }),
      annotation({ id: 'b' }),
    );
    const { threads } = threadsOf(after, before);
    assert.deepEqual(
      threads.map(({ isConfirmed, comments }) => [isConfirmed, comments.map((comment) => comment.isConfirmed)]),
      [
        [false, [false, false]],
        [false, [false]],
      ],
    );
    assert.equal(annotationThreads(before, undefined).threads[0]?.isConfirmed, false);
  });

  it('leave out what cannot be shown, and show the first of equal ids', () => {
    const bad = [
      null,
      7,
      annotation({ id: 1 }),
      annotation({ resource: null }),
      annotation({ id: 'n', entries: [] }),
      annotation({ id: 'x', entries: 'x' }),
    ];
    const odd = annotation({
      resolved: 'yes',
      range: { start: { line: -1, character: 0 }, end: {} },
      entries: [{ id: 'e' }, { id: 'f', text: 'F' }],
    });
    const { threads } = threadsOf(stateOf(...bad, odd, annotation()));
    assert.equal(threads.length, 1);
    assert.deepEqual(
      threads.map(({ range, isResolved, comments }) => [range, isResolved, comments.map(({ text }) => text)]),
      [[undefined, false, ['F']]],
    );
    for (const line of [0.5, -1, 2 ** 40, NaN, '1']) {
      const at = { line, character: 0 };
      assert.equal(threadsOf(stateOf(annotation({ range: { start: at, end: at } }))).threads[0]?.range, undefined, String(line));
    }
  });

  it('are bounded, and say how many are left out', () => {
    const entries = Array.from({ length: 250 }, (_, index) => ({ id: `e${index}`, text: index === 249 ? 'x'.repeat(60_000) : 'y' }));
    const { threads, omitted } = threadsOf(
      stateOf(...Array.from({ length: 1_002 }, (_, index) => annotation({ id: `a${index}`, entries }))),
    );
    assert.deepEqual([threads.length, omitted, threads[0]?.comments.length, threads[0]?.earlier], [1_000, 2, 200, 50]);
    const last = threads[0]?.comments.at(-1);
    assert.deepEqual([last?.id, last?.text.length, last?.isCut], ['e249', 50_000, true]);
  });

  it('never throw, whatever a host sends', () => {
    const any = fc.anything({ maxDepth: 5 });
    const near = fc.record({ id: fc.oneof(fc.string(), any), resource: fc.oneof(fc.webUrl(), any), range: any, entries: fc.array(any) });
    fc.assert(
      fc.property(fc.array(fc.oneof(near, any)), fc.array(fc.oneof(near, any)), (one, other) => {
        for (const { comments } of threadsOf(stateOf(...one), stateOf(...other)).threads) assert.ok(comments.length > 0);
      }),
    );
  });
});
