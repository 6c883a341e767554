import assert from 'node:assert/strict';
import type { Turn } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { todoList } from './todoList.ts';

const call = (toolName: string, input: unknown, fields: object = {}): ToolCallState =>
  ({
    status: 'completed',
    toolCallId: 'c',
    toolName,
    displayName: toolName,
    confirmed: 'not-needed',
    success: true,
    invocationMessage: '',
    pastTenseMessage: '',
    toolInput: typeof input === 'string' ? input : JSON.stringify(input),
    ...fields,
  }) as ToolCallState;
const turn = (...calls: ToolCallState[]): Turn => ({
  id: 't',
  message: { text: 'Go', origin: { kind: 'user' } },
  responseParts: calls.map((toolCall) => ({ kind: 'toolCall', toolCall })),
  state: 'complete',
});
const of = (...turns: Turn[]) => todoList({ resource: 'c', turns });
const claude = (...states: string[]) =>
  call('TodoWrite', { todos: states.map((status, at) => ({ content: `Step ${at + 1}`, status, activeForm: 'x' })) });

describe('The to-do list of an agent', () => {
  it('is read from the tools of Claude, VS Code, Copilot and Codex', () => {
    const expected = {
      items: [
        { text: 'Read', state: 'done' },
        { text: 'Write', state: 'doing' },
        { text: 'Test', state: 'open' },
      ],
      done: 1,
      current: 'Write',
    };
    const items = (name: string, states: [string, string, string]) =>
      ['Read', 'Write', 'Test'].map((text, at) => ({ [name]: text, status: states[at] }));
    const underscored: [string, string, string] = ['completed', 'in_progress', 'pending'];
    assert.deepEqual(of(turn(call('TodoWrite', { todos: items('content', underscored) }))), expected);
    assert.deepEqual(
      of(turn(call('manage_todo_list', { todoList: items('title', ['completed', 'in-progress', 'not-started']) }))),
      expected,
    );
    assert.deepEqual(of(turn(call('update_plan', { plan: items('step', underscored) }))), expected);
    assert.deepEqual(of(turn(call('update_todo', { todos: '# Plan\n- [x] Read\n- [~] Write\n- [ ] Test\n' }))), expected);
  });

  it('is what the last call says, in whatever turn', () => {
    assert.equal(of(turn(claude('pending')), turn(claude('completed', 'pending')), turn())?.done, 1);
    assert.equal(of(turn(claude('pending'), claude('completed', 'completed', 'pending')))?.done, 2);
    // A look at the list says nothing new.
    assert.equal(of(turn(claude('completed', 'pending'), call('manage_todo_list', { operation: 'read' })))?.done, 1);
  });

  it('goes once all is done and another turn began', () => {
    assert.equal(of(turn(claude('completed')))?.done, 1);
    assert.equal(of(turn(claude('completed')), turn()), undefined);
  });

  it('has only what the agent was given: no call that waits, was denied or failed', () => {
    const todos = { todos: [{ content: 'x', status: 'pending' }] };
    for (const fields of [{ status: 'pending-confirmation' }, { status: 'cancelled' }, { success: false }, { status: 'streaming' }])
      assert.equal(of(turn(call('TodoWrite', todos, fields))), undefined, JSON.stringify(fields));
    assert.ok(of(turn(call('TodoWrite', todos, { status: 'running' }))));
    assert.equal(of(turn(call('TodoWrite', todos, { contributor: { kind: 'client', clientId: 'x' } }))), undefined);
    assert.equal(of(turn(call('write', todos))), undefined);
  });

  it('is what our own host says, as long as something is to be done or a turn runs', () => {
    const own = (...states: string[]) => ({ _meta: { 'tapline.todos': states.map((state) => ({ text: 'x', state })) }, defaultChat: 'c' });
    const chat = { resource: 'c', turns: [turn(claude('pending', 'pending'))] };
    assert.deepEqual(todoList(chat, own('done', 'doing')), {
      items: [
        { text: 'x', state: 'done' },
        { text: 'x', state: 'doing' },
      ],
      done: 1,
      current: 'x',
    });
    assert.equal(todoList(chat, own('done')), undefined);
    const running = { ...chat, activeTurn: { id: 'u', message: { text: '', origin: { kind: 'user' as const } }, responseParts: [] } };
    assert.equal(todoList(running, own('done'))?.done, 1);
    assert.equal(todoList(chat, { _meta: { 'tapline.todos': 'none' } })?.items.length, 2);
  });

  it('is that of the chat, where our own host has several', () => {
    const list = (text: string) => [{ text, state: 'doing' }];
    const own = { _meta: { 'tapline.todos': list('first'), 'tapline.chatTodos': { b: list('second'), c: 7 } }, defaultChat: 'a' };
    const current = (resource: string) => todoList({ resource, turns: [] }, own)?.current;
    assert.deepEqual(['a', 'b', 'c', 'constructor'].map(current), ['first', 'second', undefined, undefined]);
    assert.equal(todoList({ resource: 'b', turns: [] }, { _meta: own._meta })?.current, 'first', 'a session with one chat');
  });

  it('is none where the input has another shape, and cut where it is long', () => {
    for (const input of ['', '{', 'null', '[]', '{"todos":7}', '{"todos":[7,null,{"status":"done"},{"content":5}]}', '{"todos":"no list"}'])
      assert.equal(of(turn(call('TodoWrite', input))), undefined, input);
    const many = Array.from({ length: 500 }, () => ({ content: 'x'.repeat(150), status: 'open' }));
    assert.equal(of(turn(call('TodoWrite', { todos: many })))?.items.length, 100);
    const long = of(turn(call('TodoWrite', { todos: [{ content: `a\n${'x'.repeat(5_000)}`, status: {} }] })));
    assert.ok((long?.items[0]?.text.length ?? 0) <= 301);
    assert.equal(of(turn(call('TodoWrite', { todos: [{ content: 'x'.repeat(200_000) }] }))), undefined);
    assert.equal(of(turn(claude('cancelled', 'pending')))?.items.length, 1);
  });
});
