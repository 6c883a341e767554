import assert from 'node:assert/strict';
import type { SessionConfigState } from '../../ahp/channels/shapes/config.ts';
import { agentKey, keptValues, rememberedOf, withKept, withRemembered } from './rememberedStart.ts';

const config = (values: Record<string, unknown>): SessionConfigState => ({
  schema: {
    type: 'object',
    properties: {
      mode: { type: 'string', title: 'Mode', enum: ['ask', 'auto'], default: 'ask' },
      branch: { type: 'string', title: 'Branch', enumDynamic: true },
      note: { type: 'string', title: 'Note' },
      token: { type: 'string', title: 'Token', sensitive: true } as never,
      locked: { type: 'boolean', title: 'Locked', readOnly: true },
      turns: { type: 'number', title: 'Turns', default: 3 },
      yes: { type: 'boolean', title: 'Approve everything', default: false },
      approvals: { type: 'string', title: 'Approvals', enum: ['ask', 'edits', 'all'], default: 'ask' },
      autoApprove: { type: 'string', title: 'Approvals', enum: ['default', 'autopilot'], default: 'default' },
    },
  },
  values,
});
const chosen = { mode: 'auto', branch: 'fix', note: 'once', token: 'secret', locked: true, turns: 5 };

describe('what is remembered of a new session', () => {
  it('is what was chosen, without texts, branches and secrets', () => {
    assert.deepEqual(keptValues(config(chosen)), { mode: 'auto', turns: 5 });
    assert.deepEqual(keptValues(config({ mode: 'ask', turns: 3 })), {}, 'the defaults may change');
  });

  it('is nothing by which an agent of another folder would ask less', () => {
    for (const change of [{ yes: true }, { approvals: 'all' }, { approvals: 'edits' }, { autoApprove: 'autopilot' }]) {
      assert.deepEqual(keptValues(config({ mode: 'auto', ...change })), { mode: 'auto' });
      assert.equal(withKept(config({ mode: 'ask' }), change), undefined, 'an earlier version has kept it');
    }
  });

  it('counts again only as far as it fits', () => {
    assert.deepEqual(withKept(config({ mode: 'ask', turns: 3 }), { mode: 'auto', turns: 5 }), { mode: 'auto', turns: 5 });
    assert.equal(withKept(config({ mode: 'ask' }), { mode: 'gone', turns: 'x', token: 'secret', other: 1 }), undefined);
    assert.equal(withKept(config({ mode: 'auto' }), { mode: 'auto' }), undefined, 'there is nothing to change');
  });

  it('is kept for each agent of each host, for the last ones', () => {
    const key = (host: string) => agentKey({ hostId: host, provider: 'p' });
    let all = withRemembered({}, key('first'), { folder: 'file:///a' });
    assert.deepEqual(rememberedOf(all, key('first')), { folder: 'file:///a' });
    for (let index = 0; index < 30; index++) all = withRemembered(all, key(`h${index}`), { model: { id: 'm' } });
    assert.deepEqual(rememberedOf(all, key('first')), {});
    assert.deepEqual(rememberedOf(all, key('h29')), { model: { id: 'm' } });
    assert.deepEqual(rememberedOf({ [key('x')]: { model: 5 } }, key('x')), {}, 'something else was stored');
  });

  it('leaves out values that are too large to be kept', () => {
    const all = withRemembered({}, 'k', { folder: 'file:///a', config: { big: 'x'.repeat(20_000) } });
    assert.deepEqual(rememberedOf(all, 'k'), { folder: 'file:///a' });
  });
});
