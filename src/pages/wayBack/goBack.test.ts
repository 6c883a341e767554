import assert from 'node:assert/strict';
import { eventually } from '../../../test/fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { said } from '../../../test/fakes/models.ts';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';
import type { ChatState, ResponsePart, Turn } from '../../ahp/channels/chat/state.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { goBack, type WayBackRequest } from './goBack.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';

describe('going back', () => {
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let questions: { question: string; detail: string; answers: string[] }[];
  let sent: Message[];
  let order: string[];
  /** Aborted: the user does not wait any longer. */
  let waiting: AbortController;
  /** What the user answers, by the number of the answer, 0 being Enter; undefined leaves the question. */
  /** Why nothing may be done any more. */
  let ended: string | undefined;
  let answers: (number | undefined | (() => number))[];

  const call = {
    kind: 'toolCall',
    toolCall: { toolCallId: 'c', toolName: 'edit', displayName: 'Edit', status: 'completed', invocationMessage: 'x' },
  };
  const turn = (id: string, ...responseParts: unknown[]): Turn => ({
    id,
    message: said(`Say ${id}`),
    responseParts: responseParts as ResponsePart[],
    state: 'complete',
  });
  const changed = (...paths: string[]): ChangesetState => ({
    status: 'ready',
    files: paths.map((path) => ({ id: path, edit: { after: { uri: `file:///w/${path}`, content: { uri: `x:${path}` } } } })),
    operations: [{ id: 'discard', label: 'Discard Changes', scopes: ['changeset', 'resource'], status: 'idle' }],
  });
  const chat = () => host.stateOf(CHAT) as ChatState;
  const invoked = () => host.paramsOf('invokeChangesetOperation').map(({ channel, operationId }) => [channel, operationId]);

  beforeEach(async () => {
    host = new FakeChannelHost('1.0.0');
    [questions, sent, order, answers] = [[], [], [], []];
    waiting = new AbortController();
    ended = undefined;
    const changesets = [{ label: 'Changes of the Last Turn', uriTemplate: 'x:turn/{turnId}', changeKind: 'turn' }];
    host.put(SESSION, { ...channelSession(CHAT), workingDirectories: ['file:///w'], changesets });
    host.put(CHAT, { ...channelChat(CHAT), turns: [turn('a'), turn('b', call), turn('c', call)] });
    host.put('x:turn/b', changed('src/b.ts'));
    host.put('x:turn/c', changed('c.ts', 'src/b.ts'));
    host.methods['invokeChangesetOperation'] = ({ channel }) => {
      order.push(String(channel));
      host.put(String(channel), changed());
      host.act(String(channel), { type: 'changeset/cleared' });
      return { message: 'All of it was taken back.' };
    };
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
  });
  afterEach(() => client.dispose());

  async function go(request: Omit<WayBackRequest, 'chat'>): Promise<boolean> {
    const model = client.session(SESSION);
    await eventually(() => model.state !== undefined, 'the session');
    const registered = { client, label: 'a host' };
    const reply = (question: string, detail: string, ...offered: string[]) => {
      questions.push({ question, detail, answers: offered });
      const answer = answers.shift();
      const index = typeof answer === 'function' ? answer() : answer;
      return index === undefined ? undefined : offered[index];
    };
    try {
      return await goBack(
        { host: registered, session: model.state, holds: (uri) => model.holds(uri) },
        { chat: CHAT, ...request },
        {
          choose: async (...asked) => reply(...asked),
          send: (message) => sent.push(message),
          wait: async (_title, task) => task(waiting.signal),
          whyNot: () => ended,
        },
      );
    } finally {
      model.dispose();
    }
  }

  it('undoes the newest turn first, then takes the turns away and sends the message again', async () => {
    answers = [2];
    assert.equal(await go({ turnId: 'b', how: 'edit', words: 'Other' }), true);
    assert.match(questions[0]?.detail ?? '', /changed 2 files:\n• src\/b.ts\n• c.ts|changed 2 files:\n• c.ts\n• src\/b.ts/);
    assert.deepEqual(questions[0]?.answers, ['Change Nothing', 'Keep the Files', 'Undo the Changes of 2 Files Too']);
    assert.deepEqual(order, ['x:turn/c', 'x:turn/b']);
    assert.deepEqual(
      chat().turns.map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual(sent, [said('Other')]);
    assert.equal(questions.length, 1);
  });

  it('keeps the files where the user says so, and leaves all as it is when they leave the question or press Enter', async () => {
    answers = [undefined, 0, 1];
    assert.equal(await go({ turnId: 'b', how: 'back' }), false);
    assert.equal(await go({ turnId: 'b', how: 'back' }), false);
    assert.equal(chat().turns.length, 3);
    assert.equal(await go({ turnId: 'b', how: 'back' }), true);
    assert.equal(chat().turns.length, 1);
    assert.deepEqual([invoked(), sent], [[], []]);
  });

  it('asks nothing where only an answer goes, and keeps no turn before the first', async () => {
    host.put(CHAT, { ...channelChat(CHAT), turns: [turn('a')] });
    assert.equal(await go({ turnId: 'a', how: 'retry' }), true);
    assert.deepEqual([questions, chat().turns, sent], [[], [], [said('Say a')]]);
  });

  it('says what was not undone, and asks whether to go back all the same', async () => {
    host.methods['invokeChangesetOperation'] = ({ channel }) => {
      if (channel === 'x:turn/c') throw new RpcError(-32011, 'c.ts was changed by somebody else');
      return { message: 'src/b.ts was left as it is' };
    };
    answers = [2, undefined, 2, 0, 2, 1];
    assert.equal(await go({ turnId: 'b', how: 'back' }), false);
    assert.equal(
      questions[1]?.detail,
      'c.ts was changed by somebody else\n\nsrc/b.ts was left as it is\n\nWhat was undone so far stays undone.',
    );
    assert.equal(await go({ turnId: 'b', how: 'back' }), false, 'Enter stops here');
    assert.equal(chat().turns.length, 3);
    assert.equal(await go({ turnId: 'b', how: 'back' }), true);
    assert.equal(chat().turns.length, 1);
  });

  it('does nothing when somebody else has added a turn while the user read the question', async () => {
    answers = [
      () => {
        host.act(CHAT, { type: 'chat/turnStarted', turnId: 'd', message: said('Mine'), startedAt: '2026-01-01T00:00:00Z' });
        return 2;
      },
    ];
    await assert.rejects(go({ turnId: 'b', how: 'retry' }), /conversation has changed meanwhile/);
    assert.deepEqual([chat().turns.length, invoked(), sent], [3, [], []]);
    await assert.rejects(go({ turnId: 'gone', how: 'retry' }), /has changed meanwhile/);
  });

  it('stops the turn that runs before it undoes anything', async () => {
    host.act(CHAT, { type: 'chat/turnStarted', turnId: 'd', message: said('Go on'), startedAt: '2026-01-01T00:00:00Z' });
    answers = [2];
    assert.equal(await go({ turnId: 'c', how: 'back' }), true);
    assert.match(questions[0]?.detail ?? '', /The turn that runs is stopped/);
    assert.deepEqual([chat().turns.map(({ id }) => id), chat().activeTurn, order], [['a', 'b'], undefined, ['x:turn/c']]);
  });

  it('says that files stay as they are where the host has no changesets of turns', async () => {
    host.put(SESSION, { ...channelSession(CHAT), workingDirectories: ['file:///w'] });
    const edit = { type: 'fileEdit', after: { uri: 'file:///w/a.ts', content: { uri: 'x:a' } } };
    const edits = {
      ...call,
      toolCall: { ...call.toolCall, success: true, pastTenseMessage: 'x', confirmed: 'not-needed', content: [edit] },
    };
    host.put(CHAT, { ...channelChat(CHAT), turns: [turn('a', edits)] });
    answers = [1];
    assert.equal(await go({ turnId: 'a', how: 'back' }), true);
    assert.match(questions[0]?.detail ?? '', /does not offer to undo[^]*• a.ts/);
    assert.deepEqual([questions[0]?.answers, invoked(), chat().turns], [['Change Nothing', 'Go Back'], [], []]);
  });

  it('says that changes are not known where the host cannot tell them', async () => {
    host.put('x:turn/c', { status: 'error', files: [], error: { errorType: 'x', message: 'No' } });
    answers = [undefined];
    await go({ turnId: 'c', how: 'back' });
    assert.match(questions[0]?.detail ?? '', /could not be found out/);
  });

  it('asks again when the turn changed more files until it was stopped, and says what was done so far', async () => {
    host.act(CHAT, { type: 'chat/turnStarted', turnId: 'd', message: said('Go on'), startedAt: '2026-01-01T00:00:00Z' });
    answers = [() => (host.put('x:turn/c', changed('c.ts', 'src/b.ts', 'late.ts')), 2), 0];
    assert.equal(await go({ turnId: 'c', how: 'back' }), false);
    assert.equal(questions.length, 2);
    assert.match(questions[1]?.detail ?? '', /late.ts/);
    assert.deepEqual([invoked(), chat().turns.length], [[], 4]);
  });

  it('says that files were undone when the turns cannot be taken away after that', async () => {
    host.methods['invokeChangesetOperation'] = () => {
      host.act(CHAT, { type: 'chat/turnStarted', turnId: 'd', message: said('Mine'), startedAt: '2026-01-01T00:00:00Z' });
      return {};
    };
    answers = [2];
    await assert.rejects(
      go({ turnId: 'c', how: 'retry' }),
      /^UserError: The changes in files were undone. No turns were taken away, because/,
    );
    assert.deepEqual([chat().turns.length, sent], [3, []]);
  });

  describe('in a session that is only shown by now', () => {
    const ENDED = 'The work here has ended.';
    const untouched = () => {
      assert.equal(chat().turns.length, 3);
      assert.deepEqual([host.paramsOf('dispatchAction'), sent], [[], []]);
    };

    it('asks nothing more and takes no turns away after its work ended while changes were undone', async () => {
      host.methods['invokeChangesetOperation'] = ({ channel }) => {
        order.push(String(channel));
        ended = ENDED;
        return { message: 'src/b.ts was left as it is' };
      };
      answers = [2, 1];
      await assert.rejects(go({ turnId: 'b', how: 'edit', words: 'Other' }), {
        message: `Some changes in files were undone. ${ENDED} No turns were taken away.`,
      });
      assert.deepEqual([questions.length, order], [1, ['x:turn/c']]);
      untouched();
    });

    for (const answer of [1, 2])
      it(`does nothing of what the user has chosen there, answer ${answer}`, async () => {
        host.act(CHAT, { type: 'chat/turnStarted', turnId: 'd', message: said('Go on'), startedAt: '2026-01-01T00:00:00Z' });
        answers = [() => ((ended = ENDED), answer)];
        await assert.rejects(go({ turnId: 'b', how: 'edit', words: 'Other' }), { message: `${ENDED} Nothing was done.` });
        assert.deepEqual([invoked(), chat().activeTurn?.id], [[], 'd']);
        untouched();
      });

    it('asks nothing there at all', async () => {
      ended = ENDED;
      await assert.rejects(go({ turnId: 'b', how: 'back' }), { message: `${ENDED} Nothing was done.` });
      assert.deepEqual(questions, []);
    });
  });

  it('names what subagents ran, and asks where only they ran something', async () => {
    const content = [{ type: 'subagent', resource: 'ahp-chat://main/sub', title: 'Sub' }];
    const delegates = { ...call, toolCall: { ...call.toolCall, success: true, pastTenseMessage: 'x', confirmed: 'not-needed', content } };
    const fields = { toolName: 'bash', toolInput: 'npm publish', _meta: { toolKind: 'terminal' } };
    const ran = { ...call, toolCall: { ...delegates.toolCall, content: [], ...fields } };
    host.put(CHAT, { ...channelChat(CHAT), turns: [turn('a', delegates)] });
    host.put('ahp-chat://main/sub', { ...channelChat('ahp-chat://main/sub'), turns: [turn('s', ran)] });
    host.put('x:turn/a', changed());
    answers = [0];
    assert.equal(await go({ turnId: 'a', how: 'retry' }), false);
    assert.match(questions[0]?.detail ?? '', /ran 1 command[^]*npm publish/);
  });

  it('does nothing when the user does not wait any longer', async () => {
    waiting.abort();
    assert.equal(await go({ turnId: 'b', how: 'retry' }), false);
    assert.deepEqual([questions, chat().turns.length, invoked(), sent], [[], 3, [], []]);
  });

  it('takes no turns away after the connection is lost while the user reads the question', async () => {
    answers = [
      () => {
        client.dispose();
        return 1;
      },
    ];
    await assert.rejects(go({ turnId: 'b', how: 'retry' }), /a host is not connected/);
    assert.deepEqual(sent, []);
  });
});
