import assert from 'node:assert/strict';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { configSchema } from '../../../host/agents/copilot/copilotOptions.ts';
import { agreedMode, modeChange } from './modeChange.ts';

type Session = Pick<SessionState, 'config'>;

describe('the wish of a model for another mode', () => {
  const session = (values: Record<string, unknown> = {}): Session => ({
    config: { schema: configSchema, values: { mode: 'interactive', approvals: 'ask', ...values } },
  });
  const wish = (mode: string, of = session()) => {
    const change = modeChange(of, 'Mend “it”', mode);
    return change.is === 'possible'
      ? `${change.setting} ${change.from}: ${change.question}`
      : change.is === 'refused'
        ? change.why
        : change.is;
  };

  it('is a question in the words of the host, with who asks', () => {
    assert.match(wish('plan'), /^mode interactive: The agent of “Mend .*” wants to change “Mode” from “Work” to “Plan first”\.$/);
    assert.equal(wish('interactive'), 'same');
    assert.match(wish('edits'), /^approvals ask: .* “Ask” to “Edit without asking”\.\n\nFiles of the working directory/);
  });

  it('is asked with the warning of the page where the agent would act without asking', () => {
    const asked = wish('all');
    assert.match(asked, /^approvals ask: .*to “Do everything without asking”/);
    assert.match(asked, /\n\nLet the agent of “Mend “it”” act without asking you\?\n\nThis holds until you switch it back/);
    assert.doesNotMatch(wish('ask', session({ approvals: 'all' })), /without asking you\?/);
  });

  it('is refused where there is no such mode, or it cannot be changed', () => {
    assert.equal(
      wish('autopilot'),
      'this session has no mode "autopilot", only mode: "interactive", "plan"; approvals: "ask", "edits", "all"',
    );
    assert.match(wish('plan', {}), /no mode that can be changed/);
    const { mode, ...others } = configSchema.properties;
    assert.ok(mode);
    const fixed = (more: object): Session => ({
      config: { schema: { type: 'object', properties: { ...others, mode: { ...mode, ...more } } }, values: {} },
    });
    for (const more of [{ sessionMutable: false }, { readOnly: true }])
      assert.match(wish('plan', fixed(more)), /no mode "plan", only approvals/);
  });

  it('is carried out only as it was agreed to', () => {
    const agreed = { mode: 'plan', setting: 'mode', from: 'interactive' };
    assert.deepEqual(agreedMode(session(), 't', agreed), { mode: 'plan' });
    for (const [of, what] of [
      [session({ mode: 'plan' }), agreed],
      [session(), { ...agreed, setting: 'approvals' }],
      [session(), { ...agreed, mode: 'all' }],
      [session({ approvals: 'edits' }), { mode: 'all', setting: 'approvals', from: 'ask' }],
    ] as const)
      assert.equal(agreedMode(of, 't', what), 'the settings of the session have changed while the user was asked');
    assert.match(String(agreedMode({}, 't', agreed)), /no mode/);
  });
});
