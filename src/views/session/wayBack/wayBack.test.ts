import assert from 'node:assert/strict';
import { chatState, openChat, said } from '../../../../test/fakes/models.ts';
import type { ActiveTurn, ResponsePart, Turn } from '../../../ahp/channels/chat/state.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import { withContext } from '../../../base/text/contextBlock.ts';
import {
  canGoBack,
  commandsOf,
  editsOf,
  isOwnMessage,
  isSameWay,
  lastMessage,
  otherCallsOf,
  subagentsOf,
  wayBack,
  type WayBack,
} from './wayBack.ts';
import { type ChangedPaths, goOnQuestion, type SubagentWork, wayBackQuestion } from './wayBackQuestion.ts';

const call = (fields: object): ResponsePart =>
  ({
    kind: 'toolCall',
    toolCall: {
      ...{ toolCallId: 'c', toolName: 'bash', displayName: 'Run', invocationMessage: 'Run', status: 'completed', confirmed: 'user-action' },
      ...{ success: true, pastTenseMessage: 'Ran', toolInput: 'npm test', _meta: { toolKind: 'terminal' }, ...fields },
    },
  }) as ResponsePart;
const turn = (id: string, ...responseParts: ResponsePart[]): Turn => ({ id, message: said(`Say ${id}`), responseParts, state: 'complete' });
const running = (id: string, ...responseParts: ResponsePart[]): ActiveTurn => ({ id, message: said(`Say ${id}`), responseParts });
const way = (...args: Parameters<typeof wayBack>): WayBack => {
  const found = wayBack(...args);
  assert.ok(found && found !== 'unloaded');
  return found;
};
const none = { undoable: [], kept: [] };
const ask = (one: WayBack, paths: ChangedPaths = none, subagents: SubagentWork = { turns: [], isUnknown: false }) =>
  wayBackQuestion(one, paths, subagents);

describe('the way back from a message', () => {
  const chat = chatState({ turns: [turn('a'), turn('b'), turn('c')] });

  it('takes its turn and all after it, and keeps the turn before', () => {
    const { keeps, turns, isRunning, message } = way(chat, 'b', 'back');
    assert.deepEqual([keeps, turns.map(({ id }) => id), isRunning, message], ['a', ['b', 'c'], false, undefined]);
    assert.equal(way(chat, 'a', 'back').keeps, undefined);
  });

  it('takes the turn that runs, too', () => {
    const { turns, isRunning } = way({ ...chat, activeTurn: running('d') }, 'c', 'retry');
    assert.deepEqual([turns.map(({ id }) => id), isRunning], [['c', 'd'], true]);
  });

  it('sends the message again with its files, its model and what the user attached, and without what providers added', () => {
    const item = { kind: 'item' as const, provider: 'docs', name: 'Guide', content: 'Read' };
    const text = withContext([{ kind: 'context', provider: 'ci', content: 'Red' }, item], 'Fix it');
    const attachments = [{ type: 'resource' as const, uri: 'file:///a', label: 'a' }] as never[];
    const message = { ...said(text), attachments, model: { id: 'm' }, agent: { uri: 'a:1' }, _meta: { x: 1 } } as Message;
    const of = chatState({ turns: [{ ...turn('a'), message }] });
    assert.deepEqual(way(of, 'a', 'retry').message, { ...message, text: withContext([item], 'Fix it') });
    assert.deepEqual(way(of, 'a', 'edit', ' Fix that ').message, { ...message, text: withContext([item], 'Fix that') });
    const traced = (meta: object) =>
      chatState({ turns: [{ ...turn('a'), message: { ...message, _meta: { traceparent: '00-1', ...meta } } }] });
    assert.deepEqual(way(traced({ x: 1 }), 'a', 'retry').message?._meta, { x: 1 }, 'it is no part of the trace of the turn that goes');
    assert.ok(!('_meta' in (way(traced({}), 'a', 'retry').message ?? {})));
  });

  it('is none from a turn that is gone, to an empty message, or where older turns are not loaded', () => {
    assert.equal(wayBack(chat, 'x', 'back'), undefined);
    assert.equal(wayBack(chat, 'b', 'edit', ' '), undefined);
    const older = { ...chat, turnsNextCursor: 'more' };
    assert.equal(wayBack(older, 'a', 'back'), 'unloaded');
    assert.equal(way(older, 'b', 'back').keeps, 'a');
  });

  it('is another one once somebody has added or removed a turn, but not when one has ended', () => {
    const before = way({ ...chat, activeTurn: running('d') }, 'b', 'back');
    assert.ok(isSameWay(before, wayBack({ ...chat, turns: [...chat.turns, turn('d')] }, 'b', 'back')));
    assert.ok(!isSameWay(before, wayBack({ ...chat, turns: [...chat.turns, turn('d'), turn('e')] }, 'b', 'back')));
    assert.ok(!isSameWay(before, wayBack({ ...chat, turns: [turn('a')] }, 'b', 'back')));
  });

  it('is there in chats that take messages', () => {
    assert.ok(canGoBack(openChat()));
    assert.ok(!canGoBack(openChat({ interactivity: 'read-only' })));
    assert.ok(!canGoBack(openChat({}, { lifecycle: 'failed' })));
    assert.deepEqual(lastMessage({ ...chat, activeTurn: running('d') })?.turnId, 'd');
    assert.ok(isOwnMessage(said('x')));
    assert.ok(!isOwnMessage({ text: 'x', origin: { kind: 'agent' } as never }));
  });

  it('knows which commands ran and which files calls changed', () => {
    const edit = { type: 'fileEdit', after: { uri: 'file:///w/a.ts', content: { uri: 'x:1' } } };
    const turns = [
      turn('a', call({}), call({ status: 'cancelled', reason: 'denied', toolInput: 'rm -rf /' })),
      running('b', call({ status: 'running', toolInput: 'sleep\n9' }), call({ toolInput: '{"a":1}', _meta: {}, content: [edit] })),
    ];
    assert.deepEqual(commandsOf(turns), ['npm test', 'sleep 9']);
    assert.deepEqual(
      editsOf(turns).map(({ after }) => after?.uri),
      ['file:///w/a.ts'],
    );
  });
});

describe('the question before turns go', () => {
  const chat = chatState({ turns: [turn('a'), turn('b', call({}))] });

  it('is not asked when only an answer goes', () => {
    assert.equal(ask(way(chatState({ turns: [turn('a')] }), 'a', 'retry'), none), undefined);
    assert.ok(ask(way(chat, 'a', 'retry'), none), 'a later turn goes');
    assert.ok(ask(way(chat, 'b', 'retry'), none), 'a command ran');
    assert.ok(ask(way(chatState({ turns: [turn('a')] }), 'a', 'retry'), { ...none, isUnknown: true }));
    assert.ok(ask(way(chatState({ activeTurn: running('a') }), 'a', 'retry'), none), 'a turn runs');
  });

  it('says how many turns go, which files can be undone, and what cannot', () => {
    const asked = ask(way(chat, 'a', 'back'), { undoable: ['src/a.ts', 'b.ts'], kept: ['c.bin'] });
    assert.equal(asked?.question, 'Go back to before “Say a”?');
    assert.equal(
      asked?.detail,
      [
        'This turn and the one after it go for good.',
        'They changed 2 files:\n• src/a.ts\n• b.ts',
        'They changed 1 file which the host does not offer to undo, so they stay as they are:\n• c.bin',
        'They ran 1 command. What commands did cannot be undone:\n• npm test',
      ].join('\n\n'),
    );
    assert.deepEqual(asked?.answers, [
      { label: 'Change Nothing', choice: 'nothing' },
      { label: 'Keep the Files', choice: 'keep' },
      { label: 'Undo the Changes of 2 Files Too', choice: 'undo' },
    ]);
  });

  it('has one answer that goes on where there is nothing to undo, and says that what runs is stopped', () => {
    const asked = ask(way(chatState({ activeTurn: running('a') }), 'a', 'edit', 'Other'), none);
    assert.deepEqual(
      [asked?.question, asked?.detail, asked?.answers],
      [
        'Send the edited message in place of “Say a”?',
        'This turn goes for good. The turn that runs is stopped.',
        [
          { label: 'Change Nothing', choice: 'nothing' },
          { label: 'Send', choice: 'keep' },
        ],
      ],
    );
  });

  it('lists ten of a kind, and says how many more there are', () => {
    const many = Array.from({ length: 500 }, (_, index) => call({ toolInput: `echo ${index}` }));
    const asked = ask(way(chatState({ turns: [turn('a', ...many)] }), 'a', 'retry'), none);
    assert.match(asked?.detail ?? '', /ran 500 commands[^]*• echo 9\nand 490 more$/);
    assert.ok(
      goOnQuestion(
        'back',
        Array.from({ length: 500 }, (_, index) => `No ${index}`),
      ).detail.length < 200,
    );
  });

  it('is always asked before a message is only taken back, and not by reads', () => {
    const only = chatState({ turns: [turn('a', call({ toolInput: '{"path":"a"}', _meta: { toolKind: 'read' } }))] });
    assert.ok(ask(way(only, 'a', 'back')));
    assert.equal(ask(way(only, 'a', 'retry')), undefined);
    assert.equal(ask(way(only, 'a', 'edit', 'Other')), undefined);
  });

  it('names calls of other tools, what was typed into terminals, and what subagents ran', () => {
    const other = { toolInput: '{"title":"x"}', _meta: {}, displayName: 'Create issue' };
    const typed = call({ toolInput: 'npm publish', _meta: { toolKind: 'typing' } });
    const delegates = call({ toolInput: '{}', _meta: {}, content: [{ type: 'subagent', resource: 'ahp-chat://sub', title: 'Sub' }] });
    const turns = [turn('a', call(other), call(other), typed, delegates, call({ status: 'cancelled', reason: 'denied', ...other }))];
    assert.deepEqual([commandsOf(turns), otherCallsOf(turns)], [['Typed into a terminal: npm publish'], ['Create issue', 'Create issue']]);
    assert.deepEqual(subagentsOf(turns), { chats: ['ahp-chat://sub'], isUnknown: false });
    assert.equal(subagentsOf([turn('a', call({ _meta: { toolKind: 'subagent' } }))]).isUnknown, true);
    const retry = way(chatState({ turns: [turn('a', delegates)] }), 'a', 'retry');
    assert.equal(ask(retry), undefined, 'the subagent did nothing');
    const asked = ask(retry, none, { turns: [turn('s', call({}), call(other), call(other))], isUnknown: true });
    assert.equal(
      asked?.detail,
      [
        'This turn goes for good.',
        'It ran 1 command. What commands did cannot be undone:\n• npm test',
        'It made 2 other calls. What other calls did cannot be undone:\n• Create issue',
        'What subagents ran could not be found out. It cannot be undone.',
      ].join('\n\n'),
    );
  });

  it('says once what the host said of several turns, and goes on in the words of what was chosen', () => {
    assert.deepEqual(goOnQuestion('edit', ['It was changed.', 'It was changed.']), {
      question: 'Send the edited message although not everything was undone?',
      detail: 'It was changed.\n\nWhat was undone so far stays undone.',
      yes: 'Send Anyway',
      no: 'Stop Here',
    });
    assert.equal(goOnQuestion('back', []).yes, 'Go Back Anyway');
  });
});
