/** What the user does while the host is away is judged against what the host says on its return. */
import type { Settlement } from './resources/subscription.ts';
import { inEnglish } from '../../../test/support/inEnglish.ts';
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import { connected, disposeClients, loseLine, session } from '../../../test/fakes/clientAndHost.ts';
import { eventually } from '../../../test/fakes/eventually.ts';
import { sessionState } from '../../../test/fakes/fakeHost.ts';
import { gestureOf } from '../../../test/support/gestureOf.ts';
import { ASKED, askedDigest } from '../common/callQuestion.ts';
import type { StateAction } from '../v1/actions.ts';
import type { ActiveTurn, SessionState, Turn } from '../v1/session.ts';
import type { ToolCallPendingConfirmationState, ToolCallState } from '../v1/toolCall.ts';
import { whenLive } from './resources/whenLive.ts';

afterEach(disposeClients);

const idle = sessionState(session);
const ofCall = { session, turnId: 't1', toolCallId: 'c' };
const call = (status: string, more: object = {}) =>
  ({ toolCallId: 'c', toolName: 'bash', displayName: 'Bash', invocationMessage: 'Run', toolInput: 'ls', status, ...more }) as ToolCallState;
const turn = (id: string, ...calls: ToolCallState[]): ActiveTurn => ({
  id,
  userMessage: { text: 'go' },
  responseParts: calls.map((toolCall) => ({ kind: 'toolCall', toolCall })),
});
const past = (one: ActiveTurn, state: Turn['state'] = 'complete'): Turn => ({ ...one, state });
const running = (...calls: ToolCallState[]): SessionState => ({ ...idle, activeTurn: turn('t1', ...calls) });
const ended = (state: Turn['state'], ...calls: ToolCallState[]): SessionState => ({ ...idle, turns: [past(turn('t1', ...calls), state)] });
const queue = (...ids: string[]) => ids.map((id) => ({ id, userMessage: { text: id } }));
const client = (clientId: string) => ({ clientId, tools: [] });

const approve: StateAction = { type: 'session/toolCallConfirmed', ...ofCall, approved: true, confirmed: 'user-action' };
const deny: StateAction = { type: 'session/toolCallConfirmed', ...ofCall, approved: false, reason: 'denied' };
const message = (kind: 'steering' | 'queued', id: string): StateAction => ({
  type: 'session/pendingMessageSet',
  session,
  kind,
  id,
  userMessage: { text: 'words' },
});
const prompt = (turnId: string): StateAction => ({ type: 'session/turnStarted', session, turnId, userMessage: { text: turnId } });
const waits = call('pending-confirmation');
const asking = (text = 'Which?'): SessionState => ({
  ...running(),
  inputRequests: [{ id: 'q', questions: [{ kind: 'text', id: 'one', message: text }] }],
});
const answer: StateAction = { type: 'session/inputCompleted', session, requestId: 'q', response: 'accept' };

/** What was done on `before`, while the host came to `after`: why that is not sent; undefined where it is. */
const cases: [what: string, before: SessionState, action: StateAction | StateAction[], after: SessionState, why: string | undefined][] = [
  ['an approval, the call still waits', running(waits), approve, running(waits), undefined],
  ['an approval, the call was cancelled', running(waits), approve, ended('cancelled', call('cancelled')), 'The call was cancelled.'],
  ['an approval, the session started over', running(waits), approve, idle, 'The turn of the call has ended.'],
  ['an approval, the call was approved', running(waits), approve, running(call('completed')), 'The call was approved already.'],
  [
    'an approval, the call waits with another input',
    running(waits),
    approve,
    running(call('pending-confirmation', { toolInput: 'rm -rf /' })),
    'The call has changed since you decided.',
  ],
  [
    'an approval, another client runs the call by now',
    running(waits),
    approve,
    running(call('pending-confirmation', { toolClientId: 'other' })),
    'The call has changed since you decided.',
  ],
  ['a denial, the call was approved', running(waits), deny, running(call('running')), 'The call was approved already.'],
  [
    'a decision about a result, it still waits',
    running(call('pending-result-confirmation')),
    { type: 'session/toolCallResultConfirmed', ...ofCall, approved: true },
    running(call('pending-result-confirmation')),
    undefined,
  ],
  [
    'a decision about a result that was decided',
    running(call('pending-result-confirmation')),
    { type: 'session/toolCallResultConfirmed', ...ofCall, approved: true },
    running(call('completed')),
    'The result is not waiting for an answer any more.',
  ],
  [
    'a result of a tool, its call still runs',
    running(call('running')),
    { type: 'session/toolCallComplete', ...ofCall, result: { success: true, pastTenseMessage: 'x' } },
    running(call('running')),
    undefined,
  ],
  [
    'a result of a tool, its call has ended',
    running(call('running')),
    { type: 'session/toolCallComplete', ...ofCall, result: { success: true, pastTenseMessage: 'x' } },
    ended('cancelled', call('cancelled')),
    'The call was cancelled.',
  ],
  ['a stop, the turn still runs', running(), { type: 'session/turnCancelled', session, turnId: 't1' }, running(), undefined],
  [
    'a stop, the turn has ended',
    running(),
    { type: 'session/turnCancelled', session, turnId: 't1' },
    ended('complete'),
    'The turn has ended.',
  ],
  ['answers, the question still waits', asking(), answer, asking(), undefined],
  ['answers, the question waits no more', asking(), answer, running(), 'The question is not waiting for an answer any more.'],
  ['answers, the question is another one', asking(), answer, asking('What else?'), 'The question has changed since you answered.'],
  ['a prompt, nothing runs', idle, prompt('t2'), idle, undefined],
  ['a prompt, another turn runs', idle, prompt('t2'), running(), 'Another turn is running.'],
  ['two prompts, of which the second would push the first aside', idle, [prompt('t2'), prompt('t3')], idle, 'Another turn is running.'],
  ['steering, its turn still runs', running(), message('steering', 's'), running(), undefined],
  ['steering, its turn has ended', running(), message('steering', 's'), ended('complete'), 'The turn that it was meant for has ended.'],
  ['steering of a prompt that is sent now', idle, [prompt('t2'), message('steering', 's')], idle, undefined],
  ['a message for the queue, the turn has ended', running(), message('queued', 'q'), ended('complete'), undefined],
  [
    'other words for a message, it still waits',
    { ...running(), queuedMessages: queue('q') },
    message('queued', 'q'),
    { ...running(), queuedMessages: queue('q') },
    undefined,
  ],
  [
    'other words for a message, it was taken',
    { ...running(), queuedMessages: queue('q') },
    message('queued', 'q'),
    running(),
    'The message that it changes is not waiting any more.',
  ],
  [
    'taking a message back, it still waits',
    { ...running(), queuedMessages: queue('q') },
    { type: 'session/pendingMessageRemoved', session, kind: 'queued', id: 'q' },
    { ...running(), queuedMessages: queue('q') },
    undefined,
  ],
  [
    'taking a message back, it was taken',
    { ...running(), queuedMessages: queue('q') },
    { type: 'session/pendingMessageRemoved', session, kind: 'queued', id: 'q' },
    running(),
    'The message is not waiting any more.',
  ],
  [
    'another order, of what still waits',
    { ...running(), queuedMessages: queue('p', 'q') },
    { type: 'session/queuedMessagesReordered', session, order: ['q', 'p'] },
    { ...running(), queuedMessages: queue('p', 'q') },
    undefined,
  ],
  [
    'another order, nothing waits',
    { ...running(), queuedMessages: queue('p', 'q') },
    { type: 'session/queuedMessagesReordered', session, order: ['q', 'p'] },
    running(),
    'The messages are not waiting any more.',
  ],
  ['a cut, nothing came since', ended('complete'), { type: 'session/truncated', session, turnId: 't1' }, ended('complete'), undefined],
  [
    'a cut, a turn came since',
    ended('complete'),
    { type: 'session/truncated', session, turnId: 't1' },
    { ...ended('complete'), activeTurn: turn('t2') },
    'The session has continued since.',
  ],
  [
    'our place as the active client, it is free',
    idle,
    { type: 'session/activeClientChanged', session, activeClient: client('me') },
    idle,
    undefined,
  ],
  [
    'our place as the active client, somebody has taken it',
    idle,
    { type: 'session/activeClientChanged', session, activeClient: client('me') },
    { ...idle, activeClient: client('other') },
    'Another client is the active one.',
  ],
  [
    'leaving our place, somebody has taken it',
    { ...idle, activeClient: client('me') },
    { type: 'session/activeClientChanged', session, activeClient: null },
    { ...idle, activeClient: client('other') },
    'Another client is the active one.',
  ],
  [
    'our tools, somebody has taken our place',
    { ...idle, activeClient: client('me') },
    { type: 'session/activeClientToolsChanged', session, tools: [] },
    { ...idle, activeClient: client('other') },
    'Another client is the active one.',
  ],
  ['a title', idle, { type: 'session/titleChanged', session, title: 'new' }, running(), undefined],
];

describe('What was done while the host was away', () => {
  for (const [what, before, done, after, why] of cases) {
    it(`${what}: ${why ?? 'it is sent'}`, async () => {
      const all = await connected();
      const { host } = all;
      host.states.set(session, before);
      const subscription = all.client.session(session);
      await whenLive(subscription);
      const actions = Array.isArray(done) ? done : [done];
      const outcomes: Promise<Settlement>[] = [];
      await loseLine(all, () => {
        outcomes.push(...actions.map((action) => subscription.perform(gestureOf(action)).settled));
        host.serverSeq += 100;
        host.log = [];
        host.states.set(session, after);
      });
      const expected = why === undefined ? { kind: 'confirmed' } : { kind: 'rejected', reason: `Not sent. ${why}` };
      assert.deepEqual(inEnglish(await outcomes.at(-1)), expected);
      assert.deepEqual(subscription.pending, []);
      const sent = host.paramsOf('dispatchAction').map(({ action }) => action as StateAction);
      assert.deepEqual(
        sent.filter((action) => actions.some((one) => isDeepStrictEqual(one, action))),
        why === undefined ? actions : actions.slice(0, -1),
      );
    });
  }

  it('is also judged where the host never told the state that it was done on', async () => {
    const all = await connected();
    const { host } = all;
    all.memory.line.drop();
    await eventually(() => all.client.state.kind === 'reconnecting', 'the loss');
    const subscription = all.client.session(session);
    const { settled } = subscription.perform(gestureOf(approve));
    const late = subscription.perform(gestureOf(message('steering', 's'))).settled;
    host.states.set(session, ended('cancelled', call('cancelled')));
    all.client.reconnectNow();
    await eventually(all.isConnected, 'the return');
    await whenLive(subscription);
    assert.deepEqual(inEnglish(await settled), { kind: 'rejected', reason: 'Not sent. The call was cancelled.' });
    assert.deepEqual(inEnglish(await late), { kind: 'rejected', reason: 'Not sent. The turn that it was meant for has ended.' });
  });

  for (const [asked, outcome] of [
    ['ls', { kind: 'confirmed' }],
    ['ls -l', { kind: 'rejected', reason: 'Not sent. The call has changed since you decided.' }],
  ] as const)
    it(`says what was asked, so an approval of “${asked}” is ${outcome.kind} where that state was never told`, async () => {
      const all = await connected();
      all.memory.line.drop();
      await eventually(() => all.client.state.kind === 'reconnecting', 'the loss');
      const subscription = all.client.session(session);
      const shown = call('pending-confirmation', { toolInput: asked }) as ToolCallPendingConfirmationState;
      const { settled } = subscription.perform(gestureOf({ ...approve, _meta: { [ASKED]: askedDigest(shown) } } as StateAction));
      all.host.states.set(session, running(waits));
      all.client.reconnectNow();
      await eventually(all.isConnected, 'the return');
      await whenLive(subscription);
      assert.deepEqual(inEnglish(await settled), outcome);
    });

  it('survives a state that is not as the protocol has it', async () => {
    const all = await connected();
    const { host } = all;
    host.states.set(session, running(waits));
    const subscription = all.client.session(session);
    await whenLive(subscription);
    const odd = [null, { id: 't1', responseParts: [null, { kind: 'toolCall' }, { kind: 'inputRequest' }] }];
    const outcomes: Promise<Settlement>[] = [];
    await loseLine(all, () => {
      for (const action of [approve, deny, answer, message('queued', 'q'), prompt('t2')])
        outcomes.push(subscription.perform(gestureOf(action)).settled);
      host.serverSeq += 100;
      host.log = [];
      host.states.set(session, { ...idle, turns: odd, queuedMessages: [null], inputRequests: [null] } as unknown as SessionState);
    });
    await Promise.all(outcomes);
    assert.equal(subscription.status.kind, 'live');
  });
});
