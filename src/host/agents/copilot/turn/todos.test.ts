import assert from 'node:assert/strict';
import { nullLogger } from '../../../../base/log.ts';
import { EngineTodos } from './todos.ts';

describe('The to-do list of the engine', () => {
  it('is kept for its chat, beside those of others', async () => {
    let rows: object[] = [];
    const session = { rpc: { plan: { readSqlTodosWithDependencies: async () => ({ rows }) } } } as never;
    const sessionState = { _meta: {} as Record<string, unknown> };
    const setMeta = (key: string, value: unknown) => {
      const { [key]: _earlier, ...rest } = sessionState._meta;
      sessionState._meta = value === undefined ? rest : { ...rest, [key]: value };
    };
    const of = (chat: string, isDefault = false) =>
      new EngineTodos({ chat, isDefault, sessionState: sessionState as never, setMeta, logger: nullLogger }, 1000);
    rows = [{ title: 'Plan', status: 'in_progress' }];
    await of('a', true).read(session);
    await of('b').read(session);
    rows = [{ title: 'Build', status: 'done' }, { status: 'pending' }, { title: 'No', status: 'cancelled' }];
    await of('c').read(session);
    const plan = [{ text: 'Plan', state: 'doing' }];
    assert.deepEqual(sessionState._meta, {
      'tapline.todos': plan,
      'tapline.chatTodos': { b: plan, c: [{ text: 'Build', state: 'done' }] },
    });
    rows = [];
    for (const [chat, isDefault] of [
      ['a', true],
      ['b', false],
      ['c', false],
    ] as const)
      await of(chat, isDefault).read(session);
    assert.deepEqual(sessionState._meta, {});
  });
});
