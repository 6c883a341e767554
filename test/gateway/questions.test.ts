/** What tools ask the user while they run: who is asked, how much, and what becomes of a question without an answer. */
import assert from 'node:assert/strict';
import { OpenQuestions } from '../../src/gateway/owners/openQuestions.ts';
import { Time } from '../../src/tap/wire/limits.ts';
import type { OwnerEvents } from '../../src/tap/wire/owner/ownerMessages.ts';
import type { UserAnswer, UserQuestion } from '../../src/tap/wire/userQuestion.ts';
import { atRest } from '../fakes/eventually.ts';
import { FakeGateway, type FakeProvider, hello, tool } from '../fakes/fakeGateway.ts';

const question = { message: 'Who\u001b[31m?', requestedSchema: { type: 'object' } };

describe('a question of a tool', () => {
  let fake: FakeGateway;
  let asked: { question: UserQuestion; provider: string; answer(answer: UserAnswer): void }[];
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
    asked = [];
  });
  afterEach(() => fake.dispose());
  const call = () =>
    fake.gateway.dispatcher.call({
      session: fake.gateway.sessions.get('a')!,
      tool: 'greet',
      args: {},
      onAsk: (given, provider) => new Promise((answer) => asked.push({ question: given, provider, answer })),
    });
  const ask = (peer: FakeProvider, askId: string) => peer.say({ type: 'tool.ask', id: peer.last('tool.call').id, askId, question });

  it('reaches the user cleaned, and the answer the provider', async () => {
    const peer = fake.spawned('a').say(hello({ tools: [tool()] }));
    call();
    ask(peer, 'q');
    assert.deepEqual(
      asked.map(({ question: given, provider }) => [given.message, provider]),
      [['Who[31m?', 'provider']],
    );
    asked[0]?.answer({ action: 'accept', content: { name: 'Ada' } });
    await atRest();
    const { id } = peer.last('tool.call');
    assert.deepEqual(peer.all('tool.answer'), [{ type: 'tool.answer', id, askId: 'q', action: 'accept', content: { name: 'Ada' } }]);
  });

  it('has a form without what cannot be seen, and is declined where that would be sent', async () => {
    const peer = fake.spawned('a').say(hello({ tools: [tool()] }));
    call();
    const say = (askId: string, properties: object) =>
      peer.say({
        type: 'tool.ask',
        id: peer.last('tool.call').id,
        askId,
        question: { message: 'Who?', requestedSchema: { type: 'object', properties } },
      });
    say('shown', { name: { type: 'string', title: 'N\u202eame', enum: ['a'], enumNames: ['\u001b[31mA'] } });
    assert.deepEqual(asked[0]?.question, {
      message: 'Who?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Name', enum: ['a'], enumNames: ['[31mA'] } } },
    });
    say('sent', { name: { type: 'string', enum: ['a\u202e'] } });
    await atRest();
    assert.equal(asked.length, 1);
    assert.deepEqual(
      peer.all('tool.answer').map(({ askId, action }) => [askId, action]),
      [['sent', 'decline']],
    );
  });

  describe('while it is open', () => {
    const timeoutMs = 60_000;
    const begin = () => {
      const peer = fake.spawned('a').say(hello({ tools: [tool('greet', { timeout: timeoutMs })] }));
      const ended: string[] = [];
      void call().outcome.then((outcome) => ended.push(outcome.ok ? 'ok' : outcome.errorCode));
      /** After this time. */
      const isOver = async (ms: number) => {
        fake.clock.advance(ms);
        await atRest();
        return ended.join();
      };
      return { peer, isOver };
    };

    it('stops the time limit of its call, which goes on with the answer', async () => {
      const { peer, isOver } = begin();
      assert.equal(await isOver(50_000), '');
      ask(peer, '1');
      ask(peer, '2');
      assert.equal(await isOver(Time.questionMs - 1), '');
      asked[0]?.answer({ action: 'decline' });
      assert.equal(await isOver(0), '', 'the other one is open');
      asked[1]?.answer({ action: 'decline' });
      await atRest();
      assert.equal(await isOver(9_999), '');
      assert.equal(await isOver(1), 'TIMEOUT');
    });

    it('stops it for five minutes at most', async () => {
      const { peer, isOver } = begin();
      ask(peer, '1');
      assert.equal(await isOver(Time.questionMs + timeoutMs - 1), '');
      assert.equal(await isOver(1), 'TIMEOUT');
      asked[0]?.answer({ action: 'decline' });
      await atRest();
      assert.equal(peer.all('tool.answer').length, 0);
    });

    it('stops nothing where it is declined', async () => {
      const { peer, isOver } = begin();
      for (const askId of ['1', '2', '3', '4', '5']) ask(peer, askId);
      for (const { answer } of asked) answer({ action: 'decline' });
      await atRest();
      assert.equal(await isOver(timeoutMs), 'TIMEOUT');
    });
  });

  it('is declined where four of the call have no answer yet', async () => {
    const peer = fake.spawned('a').say(hello({ tools: [tool()] }));
    call();
    for (const askId of ['1', '2', '3', '4', '5']) ask(peer, askId);
    await atRest();
    assert.equal(asked.length, 4);
    assert.deepEqual(
      peer.all('tool.answer').map(({ askId, action }) => [askId, action]),
      [['5', 'decline']],
    );
    asked[0]?.answer({ action: 'decline' });
    await atRest();
    ask(peer, '6');
    assert.equal(asked.length, 5);
  });

  it('is declined after twenty of its call, however they were answered', async () => {
    const peer = fake.spawned('a').say(hello({ tools: [tool()] }));
    call();
    for (let count = 0; count < 25; count++) {
      ask(peer, `${count}`);
      asked[count]?.answer({ action: 'decline' });
      await atRest();
    }
    assert.equal(asked.length, 20);
    assert.equal(peer.all('tool.answer').length, 25);
  });

  it('is declined for a paired provider, and ignored for a call that has ended', async () => {
    const paired = fake.external().say(hello({ session: 'a', tools: [tool()] }));
    const running = call();
    ask(paired, 'q');
    await atRest();
    assert.equal(paired.last('tool.answer').action, 'decline');
    running.cancel('enough');
    ask(paired, 'late');
    await atRest();
    assert.deepEqual([asked.length, paired.all('tool.answer').length], [0, 1]);
  });

  it('is over with its call, and answered once', async () => {
    const told: OwnerEvents['tool/asked'][] = [];
    const questions = new OpenQuestions((event) => told.push(event));
    const about = (callId: string) => ({ sessionId: 'a', callId, tool: 't', provider: 'p', question });
    const [one, other] = [questions.ask(about('1')), questions.ask(about('2'))];
    questions.callEnded('b', '1');
    questions.callEnded('a', '1');
    assert.deepEqual(await one, { action: 'cancel' });
    questions.answer(told[0]?.askId ?? '', { action: 'accept' });
    questions.answer('unknown', { action: 'accept' });
    questions.answer(told[1]?.askId ?? '', { action: 'decline' });
    assert.deepEqual(await other, { action: 'decline' });
  });

  it('is cancelled when the owner that shows it has gone, and so is one that comes later', async () => {
    const told: OwnerEvents['tool/asked'][] = [];
    const questions = new OpenQuestions((event) => told.push(event));
    const about = { sessionId: 'a', callId: '1', tool: 't', provider: 'p', question };
    const open = questions.ask(about);
    questions.dispose();
    assert.deepEqual(await open, { action: 'cancel' });
    assert.deepEqual(await questions.ask(about), { action: 'cancel' });
    assert.equal(told.length, 1);
  });
});
