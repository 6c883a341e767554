/** The tools with which a session's model has something watched, as its owner calls them. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OnAsk, OwnedSession } from '../../src/tap/owner/ownerClient.ts';
import type { EmitterStatus } from '../../src/tap/wire/emitters/emitterStatus.ts';
import type { OfferedTool } from '../../src/tap/wire/owner/ownerMessages.ts';
import { eventually } from '../fakes/eventually.ts';
import { TestGateway, type TestOwner } from '../integration/gateway/gatewayHarness.ts';
import { isAlive } from '../support/processes.ts';
import { tapTools } from '../support/tapTools.ts';

const WAIT_MS = 15_000;

describe('the tools for emitters', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let session: OwnedSession;
  let folder: string;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-emitters-')));
    test = new TestGateway();
    await test.start({ withTap: true });
    owner = await test.owner();
    session = owner.client.addSession({ sessionId: 'a', label: 'x', cwd: folder });
    await owner.tools('a', tapTools, WAIT_MS);
  });
  afterEach(async () => {
    await test.stop();
    rmSync(folder, { recursive: true });
  });

  const call = async (tool: string, args: object = {}, onAsk?: OnAsk) => {
    const outcome = await session.call(tool, args, undefined, undefined, undefined, undefined, onAsk);
    assert.ok(outcome.ok && 'data' in outcome, JSON.stringify(outcome));
    return outcome.data as never;
  };
  const refused = async (tool: string, args: object = {}, onAsk?: OnAsk) => {
    const outcome = await session.call(tool, args, undefined, undefined, undefined, undefined, onAsk);
    assert.ok(!outcome.ok, JSON.stringify(outcome));
    return `${outcome.errorCode}: ${outcome.error}`;
  };
  const list = async (): Promise<EmitterStatus[]> => await call('tap_list_emitters');
  const over = (name: string) => owner.next('emitter/state', ({ emitter }) => emitter.name === name && emitter.state === 'ended', WAIT_MS);
  const users = () => session.emitters.start({ name: 'mine', command: 'sleep 600' });
  const asking = (action: 'accept' | 'decline') => {
    const questions: string[] = [];
    const onAsk: OnAsk = async (question, provider) => {
      questions.push(`${provider}: ${question.message}`);
      return { action };
    };
    return { questions, onAsk };
  };

  it('start a command, which is asked about each time, and keep what it says', async () => {
    const offered = owner.last('tools/changed').tools.find(({ name }) => name === 'tap_start_emitter') as OfferedTool;
    assert.deepEqual([offered.trust, offered.annotations?.destructiveHint, offered.readOnly], ['internal', true, undefined]);
    const eventFilter = [{ match: 'FAIL', outcome: 'inject' }];
    const started: EmitterStatus = await call('tap_start_emitter', {
      ...{ name: 'My Tests', command: 'echo ok; echo FAIL; exit 1', maxRuns: 1, eventFilter, description: 'tests' },
    });
    assert.deepEqual(
      [started.name, started.ownership, started.startedBy, started.state, started.eventFilter],
      ['my-tests', 'modelOwned', 'model', 'running', eventFilter],
    );
    await over('my-tests');
    assert.equal(owner.last('push/inject').text, 'FAIL');
    const history: { event: string; level: string }[] = await call('tap_stream_history', { stream: 'my-tests' });
    assert.deepEqual(
      history.map(({ event, level }) => [event, level]),
      [
        ['my-tests is over: it ended with code 1', 'surface'],
        ['FAIL', 'inject'],
        ['ok', 'keep'],
      ],
    );
    assert.deepEqual(await call('tap_list_streams'), [
      { provider: 'tap', stream: 'my-tests', events: 3, newest: (history[0] as never as { ts: string }).ts },
    ]);
  });

  it('give the agent its own prompt as an event, three times until the user speaks', async () => {
    const turn = async () => (await session.update({ idle: false }), await session.update({ idle: true }));
    const prompts = () => owner.events.flatMap(({ event, params }) => (event === 'push/inject' ? [[params.text, params.isPrompt]] : []));
    await call('tap_start_emitter', { name: 'p', prompt: 'continue', runInterval: 'idle' });
    for (let count = 0; count < 5; count++) await turn();
    assert.deepEqual(prompts(), Array(3).fill(['continue', false]));
    assert.equal((await list())[0]?.injector.isPaused, true);
    session.event('turn.started', {}, true);
    await turn();
    assert.equal(prompts().length, 4);
  });

  it('write to no stream that another emitter fills, or has filled', async () => {
    await session.emitters.start({ name: 'mine', command: 'true', stream: 'tap' });
    await over('mine');
    const why = 'INTERNAL: the stream "tap" is filled by the emitter "mine": take another one';
    assert.equal(await refused('tap_post', { event: 'all is well' }), why);
    assert.equal(await refused('tap_post', { stream: 'tap', event: 'all is well' }), why);
    assert.equal(await refused('tap_start_emitter', { name: 'e', command: 'echo all is well', stream: 'Tap' }), why);
    assert.deepEqual(
      ((await call('tap_stream_history', { stream: 'tap' })) as { event: string }[]).map(({ event }) => event),
      ['mine is over: it ended with code 0'],
    );
    await call('tap_post', { stream: 'notes', event: 'noted' });
    await call('tap_start_emitter', { name: 'e', command: 'true' });
    await over('e');
    await call('tap_start_emitter', { name: 'e', command: 'true', stream: 'notes' });
  });

  it('refuse what cannot be started, and say why', async () => {
    const start = (fields: object) => refused('tap_start_emitter', { name: 'x', ...fields });
    assert.match(await start({ command: 5 }), /^INVALID_ARGUMENTS: .*command/);
    assert.match(await start({ command: 'ls', every: '5m' }), /^INVALID_ARGUMENTS: .*every/);
    assert.match(await start({ command: 'ls', autoStart: false }), /^INVALID_ARGUMENTS: /);
    assert.equal(await start({}), 'INTERNAL: command: is missing: give a command or a prompt');
    assert.match(await start({ command: 'ls', runInterval: '5 minutes' }), /^INTERNAL: runInterval: must be a number with s, m, h or d/);
    assert.match(await start({ command: 'ls', cwd: '..' }), /^INTERNAL: cwd: .* lies outside the folder/);
    assert.match(await start({ command: 'ls', eventFilter: [{ match: '(', outcome: 'drop' }] }), /^INTERNAL: eventFilter\[0\]\.match: /);
    await users();
    assert.match(await refused('tap_start_emitter', { name: 'mine', command: 'ls' }), /is there already/);
    await session.emitters.stop('mine');
    assert.match(await refused('tap_start_emitter', { name: 'mine', command: 'ls' }), /"mine" belongs to the user: take another name/);
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['mine'],
    );
  });

  it('stop an emitter of the model’s own, and name those that there are', async () => {
    const { pid = 0 }: EmitterStatus = await call('tap_start_emitter', { name: 'e', command: 'sleep 600' });
    assert.ok(isAlive(pid));
    assert.equal(await refused('tap_stop_emitter', { name: 'f' }), 'INTERNAL: there is no emitter "f", only "e"');
    assert.match(await refused('tap_stop_emitter', {}), /^INVALID_ARGUMENTS: .*name/);
    assert.equal(await call('tap_stop_emitter', { name: ' E ' }), 'stopped');
    assert.equal(isAlive(pid), false);
    assert.deepEqual(
      (await list()).map(({ state }) => state),
      ['stopped'],
    );
  });

  it('change the filter of a running emitter', async () => {
    await call('tap_start_emitter', { name: 'e', command: 'sleep 600', eventFilter: [{ match: 'x', outcome: 'drop' }] });
    const eventFilter = [{ match: 'x', outcome: 'inject' }];
    const changed: EmitterStatus = await call('tap_set_event_filter', { name: 'e', eventFilter });
    assert.deepEqual(changed.eventFilter, eventFilter);
    assert.match(await refused('tap_set_event_filter', { name: 'e' }), /^INVALID_ARGUMENTS: .*eventFilter/);
    assert.match(
      await refused('tap_set_event_filter', { name: 'e', eventFilter: [{ match: '[', outcome: 'drop' }] }),
      /eventFilter\[0\]\.match/,
    );
    assert.deepEqual((await list())[0]?.eventFilter, eventFilter);
    await call('tap_start_emitter', { name: 'p', prompt: 'go', runInterval: '1h' });
    assert.match(await refused('tap_set_event_filter', { name: 'p', eventFilter: [] }), /sends a prompt and has no lines/);
  });

  it('turn the injector of an emitter off and on', async () => {
    await call('tap_start_emitter', { name: 'e', command: 'sleep 600' });
    const about = { waiting: 0, dropped: 0, isPaused: false };
    assert.deepEqual(await call('tap_disable_injector', { name: 'e' }), { enabled: false, ...about });
    assert.deepEqual(await call('tap_enable_injector', { name: 'e' }), { enabled: true, ...about });
    assert.match(await refused('tap_enable_injector', { name: 'f' }), /there is no emitter "f"/);
    assert.match(await refused('tap_disable_injector', {}), /^INVALID_ARGUMENTS: /);
  });

  it('leave what is the user’s alone without the user’s yes', async () => {
    const { pid = 0 } = await users();
    for (const [tool, more] of [
      ['tap_stop_emitter', {}],
      ['tap_set_event_filter', { eventFilter: [] }],
      ['tap_disable_injector', {}],
      ['tap_enable_injector', {}],
    ] as const) {
      const args = { name: 'mine', ...more };
      assert.match(await refused(tool, args), /^UNAUTHORIZED: "mine" belongs to the user/);
      assert.match(await refused(tool, { ...args, transferOwnership: true }), /^UNAUTHORIZED: the user was not asked or has said no/);
      const { onAsk, questions } = asking('decline');
      assert.match(await refused(tool, { ...args, transferOwnership: true }, onAsk), /^UNAUTHORIZED: .*has said no/);
      assert.match(questions.join(), /^tap: The agent wants to .* “mine”, which you have started\. It runs "sleep 600"\. .*From then on/);
    }
    await call('tap_start_emitter', { name: 'given', prompt: 'go\non', runInterval: '1h', ownership: 'userOwned' });
    const { onAsk, questions } = asking('decline');
    await refused('tap_stop_emitter', { name: 'given', transferOwnership: true }, onAsk);
    assert.match(questions.join(), /“given”, which it has started for you\. It sends the prompt "go\\non"\. /);
    await session.emitters.stop('given');
    assert.ok(isAlive(pid));
    assert.deepEqual(
      (await list()).map(({ ownership, state }) => [ownership, state]),
      [
        ['userOwned', 'running'],
        ['userOwned', 'stopped'],
      ],
    );
  });

  it('show the user the new filter as a whole before they hand an emitter over, and say where a command is cut', async () => {
    await session.emitters.start({ name: 'mine', command: `true ${'\u202e'.repeat(5_000)}`, autoStart: false });
    const { onAsk, questions } = asking('decline');
    const change = (eventFilter: object[]) =>
      refused('tap_set_event_filter', { name: 'mine', eventFilter, transferOwnership: true }, onAsk);
    const last = 'x'.repeat(900);
    await change([
      { match: 'FAIL\u202e', outcome: 'drop' },
      { match: last, outcome: 'inject' },
    ]);
    const [question = ''] = questions;
    assert.ok(
      question.includes(`Its new filter: what matches "FAIL\\u{202e}" is dropped; what matches "${last}" is given to the agent; all other`),
    );
    assert.match(question, /\\u\{202e\}" and \d+ more characters\. Its new filter/);
    assert.match(question, /From then on the agent may change and stop it\.$/);
    await change([]);
    assert.match(questions[1] ?? '', / Its new filter: every line is kept\. /);
    assert.match(await change(Array(10).fill({ match: last, outcome: 'drop' })), /eventFilter: it is too long to be shown to the user/);
    assert.equal(questions.length, 2, 'they are not asked about what they cannot see');
  });

  it('take over what is the user’s with their yes', async () => {
    await users();
    const { onAsk } = asking('accept');
    await call('tap_set_event_filter', { name: 'mine', eventFilter: [], transferOwnership: true }, onAsk);
    assert.equal((await list())[0]?.ownership, 'modelOwned');
    assert.equal(await call('tap_stop_emitter', { name: 'mine' }), 'stopped');
  });

  it('do nothing for a call that was cancelled while the user was asked', async () => {
    const { pid = 0 } = await users();
    const cancel = new AbortController();
    let isOver: AbortSignal | undefined;
    const asked = new Promise<void>((resolve) => {
      const onAsk: OnAsk = (_, __, signal) => {
        isOver = signal;
        resolve();
        return new Promise(() => undefined);
      };
      const args = { name: 'mine', transferOwnership: true };
      void session.call('tap_stop_emitter', args, cancel.signal, undefined, undefined, undefined, onAsk);
    });
    await asked;
    cancel.abort('enough');
    await eventually(() => isOver?.aborted, 'the end of the question');
    assert.ok(isAlive(pid));
    assert.equal((await list())[0]?.ownership, 'userOwned');
  });
});
