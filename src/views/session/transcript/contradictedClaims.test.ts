import assert from 'node:assert/strict';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { contradictedClaims } from './contradictedClaims.ts';
import type { Row } from './transcript.ts';

describe('claims that the evidence of their turn contradicts', () => {
  let calls = 0;
  const call = (toolName: string, result: unknown, more: object = {}): Row => {
    const toolCallId = `${++calls}`;
    const text = typeof result === 'string' ? result : JSON.stringify(result, undefined, 2);
    const common = { toolCallId, toolName, displayName: toolName, invocationMessage: '', pastTenseMessage: '', confirmed: 'not-needed' };
    const call = {
      ...common,
      status: 'completed',
      success: true,
      contributor: { kind: 'client', clientId: 'c' },
      content: [{ type: 'text', text }],
    };
    return { kind: 'toolCall', key: `c:${toolCallId}`, call: { ...call, ...more } as unknown as ToolCallState };
  };
  const goal = (text: string, verdict: string, more?: object) =>
    call(
      'tap_verify_goal_output',
      {
        goal: text,
        verdict,
        checks: [
          { verdict: 'supported', line: 'a' },
          { verdict, line: `${text} is ${verdict}` },
        ],
      },
      more,
    );
  const texts = (...rows: Row[]) => contradictedClaims(rows).map(({ kind, text, line }) => `${kind} ${text}: ${line}`);

  it('are those of goals and of audits, with the line that decides', () => {
    const audit = call('tap_audit_claims', {
      claims: [
        { claim: 'two', verdict: 'contradicted', evidence: [{ verdict: 'contradicted', line: 'not\ntwo' }] },
        { claim: 'three', verdict: 'supported', evidence: [] },
      ],
    });
    assert.deepEqual(texts(goal('one', 'contradicted'), { kind: 'markdown', key: 'm', text: 'x' } as Row, audit, goal('four', 'unknown')), [
      'goal one: one is contradicted',
      'claim two: not two',
    ]);
  });

  it('are none any more once a later check of the turn supports them', () => {
    assert.deepEqual(texts(goal('one', 'contradicted'), goal('one', 'supported')), []);
    assert.deepEqual(texts(goal('one', 'supported'), goal('one', 'contradicted')), ['goal one: one is contradicted']);
  });

  it('stay when a later check does not know, or supports another thing of the same words', () => {
    const claim = (verdict: string) =>
      call('tap_audit_claims', { claims: [{ claim: 'one', verdict, evidence: [{ verdict, line: 'b' }] }] });
    assert.deepEqual(texts(goal('one', 'contradicted'), goal('one', 'unknown')), ['goal one: one is contradicted']);
    assert.deepEqual(texts(goal('one', 'contradicted'), claim('supported')), ['goal one: one is contradicted']);
    assert.deepEqual(texts(claim('contradicted'), goal('one', 'supported')), ['claim one: b']);
    assert.deepEqual(texts(goal('one', 'contradicted'), goal('one', 'unknown'), goal('one', 'supported')), []);
  });

  it('come from the tools of the gateway alone, and only from what they have answered', () => {
    for (const more of [
      { contributor: undefined },
      { contributor: { kind: 'mcp', customizationId: 'x' } },
      { status: 'running' },
      { success: false },
      { content: undefined },
      { content: [{ type: 'text', text: 'x'.repeat(500_000) }] },
    ])
      assert.deepEqual(texts(goal('one', 'contradicted', more)), [], JSON.stringify(more).slice(0, 80));
    for (const result of ['{', '[]', 'null', { goal: 5, verdict: 'contradicted' }, { claims: 'x' }])
      for (const name of ['tap_verify_goal_output', 'tap_audit_claims', 'other']) assert.deepEqual(texts(call(name, result)), []);
  });

  it('are not too many and not too long', () => {
    const found = contradictedClaims(Array.from({ length: 60 }, (_, at) => goal(`${at}${'x'.repeat(5_000)}`, 'contradicted')));
    assert.equal(found.length, 20);
    assert.ok(found.every(({ text, line }) => text.length < 400 && line.length < 400));
  });
});
