/** What tools ask the user while they run in a session of an agent: over the real gateway, with the bridge. The dialogs are stubs: the test answers. */
import assert from 'node:assert/strict';
import type { OpenQuestion } from '../../../src/extension/questions/toolQuestions.ts';
import type { ToolQuestion } from '../../../src/views/questions/questionWords.ts';
import { eventually } from '../../fakes/eventually.ts';
import { callsOf } from '../host/demoHarness.ts';
import { BridgeTest, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';

const book = { name: 'book', description: 'Books a seat', parameters: { type: 'object' } };
const form = {
  message: 'Which seat?',
  requestedSchema: { type: 'object', properties: { seat: { type: 'string', enum: ['aisle', 'window'] } }, required: ['seat'] },
} as const;

describe('a question of a tool in a session of an agent', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  let answers: unknown[];
  beforeEach(async () => {
    answers = [];
    test = new BridgeTest();
    await test.start();
  });
  afterEach(() => test.stop());

  const start = async (question: ToolQuestion['question'] = form) => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    test.provider('travel', {
      tools: [book],
      async onToolCall({ ask }) {
        const answer = await ask(question);
        answers.push(answer);
        return answer;
      },
    });
    await untilAnnounced(chat, 'book');
    return { chat, turn: await chat.send('client book {}') };
  };
  const open = async (): Promise<OpenQuestion> => {
    await eventually(() => test.window.questions.open.length === 1, 'the question', WAIT_MS);
    return test.window.questions.open[0]!;
  };
  const gone = () => eventually(() => test.window.questions.open.length === 0, 'the question is over', WAIT_MS);

  it('reaches the user with who asks and for which session, and the answer the tool', async () => {
    const { chat, turn } = await start();
    const { asked, request, answer } = await open();
    assert.deepEqual(
      [asked.tool, asked.provider, asked.session, asked.question],
      ['book', 'travel', test.window.session(chat.uri).title, form],
    );
    assert.ok('fields' in request && request.fields[0]?.name === 'seat');
    assert.ok(answer({ action: 'accept', content: { seat: 'aisle' } }));
    const [call] = callsOf((await chat.ended(turn)).responseParts);
    assert.ok(call?.status === 'completed' && call.success);
    assert.deepEqual(answers, [{ action: 'accept', content: { seat: 'aisle' } }]);
  });

  it('may be a page to open, and be declined', async () => {
    const { chat, turn } = await start({ message: 'Sign in', url: 'https://example.com/login' });
    const { request, answer } = await open();
    assert.ok('url' in request && request.url.host === 'example.com');
    answer({ action: 'decline' });
    await chat.ended(turn);
    assert.deepEqual(answers, [{ action: 'decline' }]);
  });

  it('is over when its turn is stopped, and a late answer is too late', async () => {
    const { chat, turn } = await start();
    const question = await open();
    await chat.dispatch({ type: 'session/turnCancelled', turnId: turn });
    await gone();
    assert.equal(question.answer({ action: 'accept', content: { seat: 'aisle' } }), false);
  });

  it('is over when the gateway goes away', async () => {
    await start();
    const question = await open();
    await test.killGateway();
    await gone();
    assert.ok(question.over.aborted);
  });

  it('is over when the window is loaded again: the tool hears so, and its call goes on', async () => {
    const { chat, turn } = await start();
    await open();
    test.window.reload();
    await gone();
    test.window.look(chat.uri);
    const [call] = callsOf((await chat.ended(turn)).responseParts);
    assert.ok(call?.status === 'completed' && call.success, JSON.stringify(call));
    assert.deepEqual(answers, [{ action: 'cancel' }]);
  });
});
