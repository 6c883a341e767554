import assert from 'node:assert/strict';
import type { SessionAction } from '../../ahp/channels/session/actions.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import { sessionProblem } from './sessionChecks.ts';

const sender = { clientId: 'me', mayTakeBack: () => false };
const plain: SessionState = { provider: 'test', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [] };
const lending = (...ids: string[]): SessionState => ({ ...plain, activeClients: ids.map((clientId) => ({ clientId, tools: [] })) });
const configured: SessionState = {
  ...plain,
  config: {
    schema: {
      type: 'object',
      properties: {
        a: { type: 'string', title: '', sessionMutable: true },
        b: { type: 'string', title: '' },
        c: { type: 'string', title: '', sessionMutable: true, readOnly: true },
      },
    },
    values: { a: '1', b: '2', c: '3' },
  },
};

const action = (type: string, fields: object = {}) => ({ type: `session/${type}`, ...fields }) as unknown as SessionAction;
const lend = (clientId: string) => action('activeClientSet', { activeClient: { clientId, tools: [] } });
const takeBack = (clientId: string) => action('activeClientRemoved', { clientId });
const toggle = action('customizationToggled', { id: 'x', enablement: [{ kind: 'session', enabled: false }] });
const change = (config: object, replace?: boolean) => action('configChanged', { config, ...(replace !== undefined && { replace }) });

type Case = [rule: string, state: SessionState, good: SessionAction, badState: SessionState, bad: SessionAction, reason: RegExp];

/** Every rule: what is accepted, and the most similar case that is not. */
const cases: Case[] = [
  ['a client lends its own tools only', plain, lend('me'), plain, lend('other'), /only its own tools/],
  ['a client lends beside others', lending('other'), lend('me'), lending('other'), lend('other'), /only its own tools/],
  ['a client changes its own tools only', lending('me'), lend('me'), lending('me', 'other'), lend('other'), /only its own tools/],
  ['a client takes its own tools back only', lending('me'), takeBack('me'), lending('other'), takeBack('other'), /only its own tools/],
  [
    'a customization is one of the list',
    { ...plain, customizations: [{ type: 'plugin', id: 'x', uri: 'c:x', name: '' }] },
    toggle,
    { ...plain, customizations: [{ type: 'plugin', id: 'y', uri: 'c:x', name: '' }] },
    toggle,
    /no customization x/,
  ],
  [
    'a session without customizations has none to toggle',
    { ...plain, customizations: [{ type: 'plugin', id: 'x', uri: 'c:x', name: '' }] },
    toggle,
    plain,
    toggle,
    /no customization x/,
  ],
  ['there is a configuration to change', configured, change({ a: 'x' }), plain, change({ a: 'x' }), /no configuration/],
  [
    'only mutable values are changed',
    configured,
    change({ a: 'x', b: '2' }),
    configured,
    change({ b: 'x' }),
    /config\.b cannot be changed/,
  ],
  ['values to read only are not changed', configured, change({ a: 'x', c: '3' }), configured, change({ c: 'x' }), /config\.c cannot be/],
  ['a value fits the schema', configured, change({ a: 'x' }), configured, change({ a: 1 }), /config\.a must be a string/],
  [
    'replacing keeps the immutable ones',
    configured,
    change({ b: '2', c: '3' }, true),
    configured,
    change({ a: 'x' }, true),
    /config\.b cannot be changed/,
  ],
];

describe('checks of actions about a session', () => {
  for (const [rule, goodState, good, badState, bad, reason] of cases) {
    it(rule, () => {
      assert.equal(sessionProblem(good, goodState, sender), undefined);
      assert.match(sessionProblem(bad, badState, sender) ?? 'accepted', reason);
    });
  }

  it('the tools of some others may be taken back by some, and never lent', () => {
    const taker = { clientId: 'me', mayTakeBack: (clientId: string) => clientId === 'older' };
    assert.equal(sessionProblem(takeBack('older'), lending('older', 'other'), taker), undefined);
    assert.match(sessionProblem(takeBack('other'), lending('older', 'other'), taker) ?? '', /only its own tools/);
    assert.match(sessionProblem(lend('older'), lending('older', 'other'), taker) ?? '', /only its own tools/);
  });

  it('any client may change titles, marks and the archive', () => {
    for (const free of [
      action('titleChanged', { title: 'x' }),
      action('isReadChanged', { isRead: true }),
      action('isArchivedChanged', { isArchived: true }),
    ])
      for (const state of [plain, lending('other')]) assert.equal(sessionProblem(free, state, sender), undefined);
  });
});
