/** The tools with which a session's model sees its session and asks for another mode, over a real owner link. */
import assert from 'node:assert/strict';
import type { OnAsk, OwnedSession } from '../../src/tap/owner/ownerClient.ts';
import type { ModeChange, SessionAnswers, SessionFacts } from '../../src/tap/wire/owner/ownerQuestions.ts';
import { TestGateway, type TestOwner } from '../integration/gateway/gatewayHarness.ts';
import { tapTools } from '../support/tapTools.ts';

const WAIT_MS = 15_000;
const FOLDER = import.meta.dirname;

describe('the tools for the session itself', () => {
  let test: TestGateway;
  let owner: TestOwner;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start({ withTap: true });
    owner = await test.owner();
  });
  afterEach(() => test.stop());

  const facts: SessionFacts = {
    ...{ title: 'Mend it', turn: 'running', queue: [], clients: [], tasks: [{ text: 'test', state: 'doing' }], background: [] },
    settings: [{ id: 'mode', title: 'Mode', value: 'interactive', choices: ['interactive', 'plan'] }],
  };
  const possible: ModeChange = { is: 'possible', setting: 'mode', from: 'interactive', question: 'Change it?' };
  const session = async (answers?: SessionAnswers): Promise<OwnedSession> => {
    const added = owner.client.addSession({ sessionId: 'a', label: 'x', cwd: FOLDER }, undefined, answers);
    await owner.tools('a', tapTools, WAIT_MS);
    return added;
  };
  const call = async (of: OwnedSession, tool: string, args: object = {}, onAsk?: OnAsk) => {
    const outcome = await of.call(tool, args, undefined, undefined, undefined, undefined, onAsk);
    return outcome.ok && 'data' in outcome ? outcome.data : !outcome.ok && `${outcome.errorCode}: ${outcome.error}`;
  };
  const asking = (action: 'accept' | 'decline') => {
    const questions: string[] = [];
    const onAsk: OnAsk = async (question, provider) => {
      questions.push(`${provider}: ${question.message}`);
      return { action };
    };
    return { questions, onAsk };
  };
  const wish = { mode: 'plan', confirm: true };

  it('tell what the owner sees, with the emitters', async () => {
    const asked: unknown[] = [];
    const of = await session({ 'session/facts': (params) => (asked.push(params), facts) });
    await of.emitters.start({ name: 'tests', command: 'true', autoStart: false });
    const state = await call(of, 'tap_get_session_state');
    assert.deepEqual(state, {
      ...{ label: 'x', folder: FOLDER, idle: true, ...facts },
      emitters: [{ name: 'tests', state: 'stopped', ownership: 'userOwned', runs: 0 }],
    });
    assert.deepEqual(asked, [{ sessionId: 'a' }]);
    assert.match(String(await call(of, 'tap_get_session_state', { all: true })), /^INVALID_ARGUMENTS/);
  });

  it('tell less at an owner that does not answer, and nothing that it answers wrongly', async () => {
    const older = await session();
    assert.deepEqual(await call(older, 'tap_get_session_state'), {
      ...{ label: 'x', folder: FOLDER, idle: true, emitters: [] },
      more: 'who has this session tells no more of it',
    });
    assert.match(
      String(await call(older, 'tap_set_session_mode', wish, asking('accept').onAsk)),
      /^UNAUTHORIZED: .*cannot change its mode/,
    );
    await older.end();
    const wrong = await session({ 'session/facts': () => ({ title: 5 }) as never });
    assert.match(String(await call(wrong, 'tap_get_session_state')), /^INTERNAL: the owner has answered session\/facts wrongly: title/);
  });

  it('change the mode with the user’s yes alone, each time', async () => {
    const set: unknown[] = [];
    const of = await session({
      'session/modeChange': () => possible,
      'session/setMode': (change) => (set.push(change), { done: true }),
    });
    const { questions, onAsk } = asking('accept');
    for (let at = 0; at < 2; at++) assert.equal(await call(of, 'tap_set_session_mode', wish, onAsk), 'the setting mode is "plan" now');
    assert.deepEqual(questions, ['tap: Change it?', 'tap: Change it?']);
    assert.deepEqual(set[0], { sessionId: 'a', mode: 'plan', setting: 'mode', from: 'interactive' });
    set.length = 0;
    for (const none of [asking('decline').onAsk, undefined])
      assert.match(String(await call(of, 'tap_set_session_mode', wish, none)), /^UNAUTHORIZED: the user was not asked or has said no/);
    for (const args of [{ mode: 'plan' }, { mode: 'plan', confirm: false }, { confirm: true }, { ...wish, force: true }])
      assert.match(String(await call(of, 'tap_set_session_mode', args, onAsk)), /^INVALID_ARGUMENTS/);
    assert.deepEqual(set, []);
  });

  it('ask nobody where nothing would change, and say why nothing has changed', async () => {
    const { questions, onAsk } = asking('accept');
    let answer: ModeChange = { is: 'same' };
    const of = await session({
      'session/modeChange': () => answer,
      'session/setMode': () => ({ done: false, why: 'the host has refused it' }),
    });
    assert.equal(await call(of, 'tap_set_session_mode', wish, onAsk), 'the mode is "plan" already');
    answer = { is: 'refused', why: 'there is no such mode' };
    assert.equal(await call(of, 'tap_set_session_mode', wish, onAsk), 'INTERNAL: there is no such mode');
    assert.deepEqual(questions, []);
    answer = possible;
    assert.equal(await call(of, 'tap_set_session_mode', wish, onAsk), 'INTERNAL: the mode has not changed: the host has refused it');
  });

  it('keep the goals of the session, and tell its owner', async () => {
    const of = await session({ 'session/commands': () => ({ runs: [{ exitCode: 1, output: '1 failing' }] }) });
    const checks = [{ kind: 'command', command: 'npm test', exitCode: 0 }];
    await call(of, 'tap_verify_goal_output', { goal: 'The tests pass', checks });
    const { judgement } = await owner.next('goal/judged');
    assert.deepEqual([judgement.text, judgement.verdict, judgement.checks[0]?.seenBy], ['The tests pass', 'contradicted', 'session']);
    assert.deepEqual(await of.goals(), [judgement]);
    await assert.rejects(owner.client.request('goals/list', { sessionId: 'b' }), /no session "b"/);
  });

  it('say that what is changed is destructive, so that hosts ask about the call', async () => {
    await session();
    const { tools } = owner.last('tools/changed');
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    assert.equal(hints('tap_set_session_mode')?.destructiveHint, true);
    assert.equal(hints('tap_get_session_state')?.readOnlyHint, true);
  });
});
