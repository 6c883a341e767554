/** Many sessions at once: what each waits for is listed, and each gets the one answer that was for it. */
import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event.ts';
import { thorough } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';
import { type Json, TestPortal } from './portalHarness.ts';

/** The reference of the portal's specification was tried with 200. */
const SESSIONS = thorough(24, 200);
const options = [
  { id: 'once', label: 'Run once', kind: 'approve' as const },
  { id: 'no', label: 'Deny', kind: 'deny' as const },
];

describe('many sessions of a portal', function () {
  this.timeout(120_000);
  let test: TestPortal;
  /** By the input of the call. */
  const decisions = new Map<string, boolean[]>();
  const didDecide = new Emitter<void>();

  before(async () => {
    test = await TestPortal.start();
    test.agent.onTurn = async (turn) => {
      const toolInput = turn.message.text;
      const call = turn.toolCall({ toolName: 'bash', displayName: 'Run command', _meta: { toolKind: 'terminal' } });
      const { approved } = await call.confirm({ invocationMessage: 'Running', confirmationTitle: 'Run this?', toolInput, options });
      if (approved) call.complete({ success: true, pastTenseMessage: 'Ran' });
      decisions.set(toolInput, [...(decisions.get(toolInput) ?? []), approved]);
      didDecide.fire();
    };
  });
  after(() => test.close());

  it('answers each of them once', async () => {
    const inputs = Array.from({ length: SESSIONS }, (_, at) => `echo ${at}`);
    const ids = await Promise.all(inputs.map(() => test.startSession()));
    assert.equal(new Set(ids).size, SESSIONS);
    const asked = await Promise.all(ids.map((id, at) => test.call(`copilot/session/${id}/query`, inputs[at])));
    assert.deepEqual(
      asked.filter((answer) => Object.keys(answer).length > 0),
      [],
    );
    const { attention } = test.portal;
    const items = await until('all to wait', attention.onDidChange, () => {
      const listed = attention.list().items;
      return listed.length === SESSIONS ? listed : undefined;
    });
    const headers = { ...test.authorized, 'Content-Type': 'application/json' };
    const answers = await Promise.all(
      items.map(async ({ id, revision }, at) => {
        const body = JSON.stringify({ revision, decision: at % 2 ? 'deny' : 'approve' });
        return (await (await test.fetch(`/api/attention/${id}`, body, headers)).json()) as Json;
      }),
    );
    assert.deepEqual(
      answers.filter(({ result }) => result !== 'Answered'),
      [],
    );
    const total = () => [...decisions.values()].reduce((sum, all) => sum + all.length, 0);
    await until('all decisions', didDecide.event, () => total() >= SESSIONS || undefined);
    const expected = items.map((item, at) => [(item as { call: { input: string } }).call.input, [at % 2 === 0]] as const);
    assert.deepEqual(Object.fromEntries(decisions), Object.fromEntries(expected));
    assert.deepEqual(Object.keys(Object.fromEntries(expected)).sort(), inputs.sort());
    assert.deepEqual(((await test.call('attention')) as { items: Json[] }).items, []);
  });
});
