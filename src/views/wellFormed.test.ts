import assert from 'node:assert/strict';
import type { ActiveTurn, SessionState } from '../ahp/v1/session.ts';
import { turnViews } from './session/transcript/transcript.ts';
import { waitingOf } from './session/waiting/waiting.ts';
import { wellFormedSession } from './wellFormedV1.ts';

const summary = { resource: 'x:/1', provider: 'x', title: 'T', status: 1, createdAt: 0, modifiedAt: 0 };
const withParts = (responseParts: unknown): SessionState =>
  ({
    summary,
    lifecycle: 'ready',
    turns: [],
    activeTurn: { id: 't', userMessage: { text: 'Go' }, responseParts },
  }) as unknown as SessionState;
const waitingPart = (fields: object) => ({
  kind: 'toolCall',
  toolCall: {
    status: 'pending-confirmation',
    toolCallId: 'c',
    toolName: 'bash',
    displayName: 'Bash',
    invocationMessage: 'Runs',
    ...fields,
  },
});

describe('wellFormed', () => {
  it('keeps the objects that fit, beside those that do not', () => {
    const good = { kind: 'markdown', id: 'm', content: 'x' };
    const { responseParts } = wellFormedSession(withParts([good, null])).activeTurn as ActiveTurn;
    assert.equal(responseParts[0], good);
  });

  it('keeps parts, statuses and contents of later versions as they came', () => {
    const state = withParts([
      { kind: 'beam', power: 3 },
      { kind: 'toolCall', toolCall: { status: 'paused', toolCallId: 'c', toolName: 'x', displayName: 'X', since: 1 } },
    ]);
    assert.equal(wellFormedSession(state), state);
  });

  it('shows a malformed part by its name, with everything that came', () => {
    const part = { kind: 'markdown', id: 'm', content: { not: 'text' } };
    const rows = turnViews(wellFormedSession(withParts([part, 7]))).at(-1)?.rows ?? [];
    assert.deepEqual(
      rows.map((row) => row.kind === 'unknown' && row.label),
      ['Unknown part (markdown, malformed)', 'Unknown part (no kind, malformed)'],
    );
    assert.match((rows[0] as { json: string }).json, /"not": "text"/);
  });

  it('does not offer a call for approval whose input or edits cannot be shown', () => {
    const bad = [
      { toolInput: { command: 'rm' } },
      { edits: { items: [{ after: { uri: 7 } }] } },
      { edits: { items: 'all' } },
      { edits: [] },
    ];
    for (const fields of bad) assert.deepEqual(waitingOf(wellFormedSession(withParts([waitingPart(fields)]))), [], JSON.stringify(fields));
    assert.equal(waitingOf(wellFormedSession(withParts([waitingPart({ toolInput: null, edits: null })]))).length, 1);
  });

  it('keeps 5,000 turns that fit', () => {
    const turns = Array.from({ length: 5000 }, (_, i) => ({
      id: `t${i}`,
      userMessage: { text: 'x' },
      state: 'complete',
      responseParts: [{ kind: 'markdown', id: `m${i}`, content: 'y' }],
    }));
    const state = { ...withParts([]), turns } as SessionState;
    assert.equal(wellFormedSession(state), state);
    assert.equal(turnViews(state).length, 5001);
  });
});
