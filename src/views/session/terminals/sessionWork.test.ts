import assert from 'node:assert/strict';
import type { BackgroundWork, ChatState } from '../../../ahp/channels/chat/state.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { TerminalInfo } from '../../../ahp/channels/shapes/basic.ts';
import type { TerminalState } from '../../../ahp/channels/terminal.ts';
import { backgroundCount, runningBySession, stoppableChat, terminalRow, terminalsOf } from './sessionWork.ts';

const session = 'demo:/1';
const terminal = (resource: string, fields: Partial<TerminalInfo> = {}, turnId?: string): TerminalInfo => ({
  ...{ resource, title: 'sh', lifecycle: { status: 'running' as const } },
  claim: { kind: 'session', session, chat: session, ...(turnId !== undefined && { turnId }) },
  ...fields,
});
const ended = { status: 'exited' as const, exitCode: 1 };
const root = (...terminals: TerminalInfo[]): RootState => ({ agents: [], terminals });
const chat = (fields: object = {}) => ({ resource: session, turns: [], ...fields }) as unknown as ChatState;

describe('terminals of a session', () => {
  it('are those that it claims, the running ones first', () => {
    const all = root(
      terminal('t:/1', { lifecycle: ended }),
      terminal('t:/2'),
      terminal('t:/3', { claim: { kind: 'session', session: 'demo:/2', chat: 'demo:/2' } }),
      terminal('t:/4', { claim: { kind: 'client', clientId: 'me' } }),
    );
    assert.deepEqual(
      terminalsOf(all, session).map(({ resource }) => resource),
      ['t:/2', 't:/1'],
    );
    assert.deepEqual(
      [...runningBySession(all)],
      [
        [session, 1],
        ['demo:/2', 1],
      ],
    );
    assert.deepEqual(terminalsOf(undefined, session), []);
  });

  it('say who has them, how they ended, and the last command', () => {
    const state = {
      content: [
        { type: 'command', commandLine: 'ls', output: '', isComplete: true, exitCode: 0 },
        { type: 'command', commandLine: 'npm\ntest', output: '', isComplete: true, exitCode: 2 },
        { type: 'unclassified', value: '$' },
      ],
    } as unknown as TerminalState;
    assert.deepEqual(terminalRow(terminal('t'), state, 'me'), {
      ...{ title: 'sh', facts: 'running · held by the agent', command: 'npm test · exit 2', isRunning: true },
    });
    const ours = terminal('t', { claim: { kind: 'client', clientId: 'me' }, lifecycle: ended, title: '' });
    assert.deepEqual(terminalRow(ours, undefined, 'me'), {
      title: 'Terminal',
      facts: 'ended with 1 · held by this window',
      isRunning: false,
    });
    assert.match(terminalRow(ours, undefined, 'you').facts, /another client/);
  });
});

describe('work in the background', () => {
  it('is what runs beside the turn in progress', () => {
    const all = root(terminal('t:/1', {}, 'now'), terminal('t:/2', {}, 'earlier'), terminal('t:/3', { lifecycle: ended }, 'earlier'));
    assert.equal(backgroundCount(all, chat({ activeTurn: { id: 'now' } })), 1);
    assert.equal(backgroundCount(all, chat()), 2);
    assert.equal(backgroundCount(root(), chat()), 0);
    const ofSubagent = terminal('t:/4', { claim: { kind: 'session', session, chat: 'sub', turnId: 'its own' } });
    assert.equal(backgroundCount(root(ofSubagent), chat({ activeTurn: { id: 'now' } })), 0, 'the turn waits for it');
  });

  it('can be stopped only in a chat of the session', () => {
    const work = (fields: object) => ({ id: 'w', label: 'x', ...fields }) as unknown as BackgroundWork;
    const chats = [{ resource: 'chat:/1' }, { resource: 'chat:/sub' }];
    assert.equal(stoppableChat(work({ chat: 'chat:/sub' }), chats), 'chat:/sub');
    assert.equal(stoppableChat(work({ chat: 'chat:/of-another-session' }), chats), undefined);
    assert.equal(stoppableChat(work({ terminal: 't:/1' }), chats), undefined);
  });

  it('counts what the host names once', () => {
    const backgroundWork = [
      { kind: 'shell', id: '1', label: 'dev', startedAt: '', command: 'npm run dev', terminal: 't:/1' },
      { kind: 'subagent', id: '2', label: 'look', startedAt: '', chat: 'c' },
    ];
    assert.equal(backgroundCount(root(terminal('t:/1')), chat({ backgroundWork })), 2);
    assert.equal(backgroundCount(undefined, chat({ backgroundWork })), 2);
    const toolCall = { status: 'running', content: [{ type: 'subagent', resource: 'c', title: 'look' }] };
    const activeTurn = { id: 'now', responseParts: [{ kind: 'toolCall', toolCall }] };
    assert.equal(backgroundCount(undefined, chat({ backgroundWork, activeTurn })), 1, 'the turn waits for the subagent');
  });
});
