import assert from 'node:assert/strict';
import { decidedDigest } from '../../../ahp/decidedDigest.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { type CallDecision, decisionFacts } from './callDecision.ts';
import { trailLines, trailText } from './trail.ts';

const base = {
  toolCallId: 'c',
  toolName: 'bash',
  displayName: 'Bash',
  invocationMessage: 'x',
  toolInput: 'ls',
  _meta: { toolKind: 'terminal' },
};
const option = { id: 'session', label: 'Allow in this session', kind: 'approve' as const };
const running = (fields: object = {}) => ({ ...base, status: 'running', confirmed: 'user-action', ...fields }) as ToolCallState;
const done = (fields: object = {}) => running({ status: 'completed', success: true, pastTenseMessage: 'Ran', ...fields });
const cancelled = (fields: object) => ({ ...base, status: 'cancelled', ...fields }) as unknown as ToolCallState;
const by = (who: CallDecision['by'], fields: Partial<CallDecision> = {}, about: ToolCallState = running()): CallDecision => ({
  session: 's',
  turnId: 't',
  callId: 'c',
  about: 'call',
  approved: true,
  asked: decidedDigest(about),
  by: who,
  at: 5,
  ...fields,
});

describe('decisionFacts', () => {
  it('says who allowed a call and by which option', () => {
    assert.deepEqual(decisionFacts(running(), [by('you')]), ['allowed by you']);
    assert.deepEqual(decisionFacts(done({ selectedOption: option }), [by('you', {}, running({ selectedOption: option }))]), [
      'allowed by you: Allow in this session',
    ]);
    assert.deepEqual(decisionFacts(done(), [by('client')]), ['allowed by another client']);
    assert.deepEqual(decisionFacts(done(), [by('you', { approved: false }), by('client')]), ['allowed by another client']);
  });

  it('claims nothing that is not known', () => {
    assert.deepEqual(decisionFacts(done(), []), ['allowed']);
    assert.deepEqual(decisionFacts(done({ selectedOption: option }), []), ['allowed: Allow in this session']);
    assert.deepEqual(decisionFacts(done({ confirmed: 'setting' }), []), ['allowed by a setting of the host']);
    for (const confirmed of ['not-needed', 'later']) assert.deepEqual(decisionFacts(done({ confirmed }), []), []);
    assert.deepEqual(decisionFacts(done(), [by('you', { approved: false })]), ['allowed']);
    assert.deepEqual(decisionFacts({ ...base, status: 'pending-confirmation' }, [by('you')]), []);
  });

  it('claims no decision of one question for another one of the same call', () => {
    // The call asked again while the window was away, and somebody else allowed it.
    assert.deepEqual(decisionFacts(running({ selectedOption: option }), [by('you')]), ['allowed: Allow in this session']);
    assert.deepEqual(decisionFacts(done({ toolInput: 'rm' }), [by('you')]), ['allowed']);
    assert.deepEqual(decisionFacts(done({ invocationMessage: 'y' }), [by('you')]), ['allowed']);
    assert.deepEqual(decisionFacts(cancelled({ reason: 'denied', toolInput: 'rm' }), [by('you', { approved: false })]), []);
    assert.deepEqual(decisionFacts(done(), [by('you'), by('client', {}, running({ toolInput: 'rm' }))]), ['allowed']);
    // A setting allowed the second.
    assert.deepEqual(decisionFacts(done({ confirmed: 'setting' }), [by('you')]), ['allowed by a setting of the host']);
    for (const confirmed of ['not-needed', 'later']) assert.deepEqual(decisionFacts(running({ confirmed }), [by('you')]), []);
    // From before it was remembered what was decided about.
    assert.deepEqual(decisionFacts(done(), [by('you', { asked: undefined })]), ['allowed']);
  });

  it('says who denied a call or withheld its result', () => {
    const denied = cancelled({ reason: 'denied' });
    assert.deepEqual(decisionFacts(denied, [by('you', { approved: false })]), ['denied by you']);
    assert.deepEqual(decisionFacts(denied, [by('rule', { approved: false })]), ['denied by a rule of a provider']);
    assert.deepEqual(decisionFacts(denied, [by('you')]), []);
    assert.deepEqual(decisionFacts(cancelled({ reason: 'skipped' }), [by('you', { approved: false })]), []);
    const result = by('client', { about: 'result', approved: false });
    assert.deepEqual(decisionFacts(cancelled({ reason: 'result-denied' }), [by('you'), result]), ['withheld by another client']);
    assert.deepEqual(decisionFacts(done(), [by('you'), by('you', { about: 'result' })]), ['allowed by you', 'result given by you']);
  });
});

describe('trailLines', () => {
  const session = (...calls: ToolCallState[]) =>
    ({
      turns: [
        { id: 't', message: { text: '' }, state: 'complete', responseParts: calls.map((toolCall) => ({ kind: 'toolCall', toolCall })) },
      ],
    }) as unknown as ChatState;

  it('lists what somebody decided in order, with the time where it is known', () => {
    const calls = [
      done(),
      done({ toolCallId: 'd', confirmed: 'not-needed' }),
      cancelled({ toolCallId: 'e', reason: 'denied', reasonMessage: 'Not now' }),
    ];
    assert.deepEqual(
      trailLines(session(...calls), [by('you')], (at) => `at ${at}`),
      ['at 5  Bash ls: allowed by you', 'time not known  Bash ls: denied (Not now)'],
    );
  });

  it('gives no time of a decision that was about something else', () => {
    const lines = trailLines(session(done({ toolInput: 'rm' }), done({ confirmed: 'setting' })), [by('you')], (at) => `at ${at}`);
    assert.deepEqual(lines, ['time not known  Bash rm: allowed', 'time not known  Bash ls: allowed by a setting of the host']);
  });

  it('names chats and subagents, and those that cannot be read', () => {
    const trails = [
      { uri: 's', title: 'Fix it', isSubagent: false, chat: session() },
      { uri: 's/subagent/a', title: 'Review', isSubagent: true, chat: session(done()) },
      { uri: 'aside', title: 'Aside', isSubagent: false, chat: session() },
      { uri: 's/subagent/b', title: '', isSubagent: true, chat: undefined },
    ];
    const text = trailText('Fix it', trails, [by('you'), by('client', { session: 's/subagent/a' })], () => 'noon');
    assert.match(text, /^What was allowed in “Fix it”\n/);
    assert.match(text, /Nobody was asked about anything\.\n\nSubagent Review\n\nnoon {2}Bash ls: allowed by another client\n/);
    assert.match(text, /\n\nChat Aside\n\nNobody was asked about anything\./);
    assert.match(text, /Subagent s\/subagent\/b\n\nThe host does not give this subagent\.\n$/);
  });

  it('says that older turns are not loaded, and claims nothing about them', () => {
    const part = (...calls: ToolCallState[]) => [
      { uri: 's', title: 'Fix it', isSubagent: false, chat: { ...session(...calls), turnsNextCursor: 'older' } },
    ];
    const note = 'Older turns are not loaded. What was allowed in them is not listed: use Load Older Turns in the session first.';
    assert.ok(trailText('Fix it', part(), [], String).endsWith(`${note}\nNobody was asked about anything in the turns that are loaded.\n`));
    assert.ok(trailText('Fix it', part(done()), [by('you')], () => 'noon').endsWith(`${note}\nnoon  Bash ls: allowed by you\n`));
  });

  it('shows on one line what a stranger wrote', () => {
    const [line] = trailLines(session(done({ toolInput: 'ls\u202e\nrm' })), [], String);
    assert.doesNotMatch(line!, /[\n\u202e]/);
  });
});
