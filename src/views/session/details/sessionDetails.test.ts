import assert from 'node:assert/strict';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { branchName, type DetailsInput, sessionDetails } from './sessionDetails.ts';

const session = (fields: object = {}) =>
  ({ provider: 'demo', title: 'Fix it', chats: [], activeClients: [], ...fields }) as unknown as SessionState;
const input = (fields: object = {}): DetailsInput => ({
  ...{ uri: 'demo:/1', host: { id: 'embedded', label: 'This computer' }, session: session(fields), summary: undefined, chats: [] },
});

describe('details of a session', () => {
  it('are one JSON document with clients, tools, settings and the state', () => {
    const fields = {
      activeClients: [{ clientId: 'me', displayName: 'A window', tools: [{ name: 'lookup', description: 'x' }] }],
      serverTools: [{ name: 'shell' }],
      config: { schema: { type: 'object', properties: {} }, values: { isolation: 'worktree' } },
      _meta: { 'tapline.worktreeBranch': 'fix-login' },
    };
    const details = JSON.parse(sessionDetails(input(fields)));
    assert.deepEqual(details.clientsThatLendTools, [{ clientId: 'me', displayName: 'A window', tools: ['lookup'] }]);
    assert.deepEqual([details.toolsOfTheHost, details.workTree, details.branch], [['shell'], true, 'fix-login']);
    assert.equal(details.state.activeClients[0].tools[0].description, 'x');
  });

  it('leave out what is named like a secret, wherever it is', () => {
    const values = { apiKey: 'abc123', nested: { password: { deep: 'abc123' } }, isolation: 'folder' };
    const text = sessionDetails(input({ config: { schema: { type: 'object', properties: {} }, values } }));
    assert.doesNotMatch(text, /abc123/);
    assert.equal(JSON.parse(text).settings.isolation, 'folder');
  });

  it('leave out what the schema says is not to be read, whatever its name is', () => {
    const text = { type: 'string', title: 'x' };
    const properties = {
      one: { ...text, sensitive: true, default: 'abc123' },
      two: { ...text, writeOnly: true },
      three: { ...text, format: 'password' },
      group: { type: 'object', title: 'x', properties: { four: { ...text, sensitive: true }, seen: text } },
      many: { type: 'array', title: 'x', items: { ...text, sensitive: true } },
      seen: text,
    };
    const values = {
      ...{ one: 'abc123', two: 'abc123', three: 'abc123', group: { four: 'abc123', seen: 'open' }, many: ['abc123'], seen: 'open' },
      other: 'open',
    };
    const shown = sessionDetails(input({ config: { schema: { type: 'object', properties }, values } }));
    assert.doesNotMatch(shown, /abc123/);
    const { settings } = JSON.parse(shown);
    assert.deepEqual([settings.group.seen, settings.seen, settings.other], ['open', 'open', 'open']);
  });

  it('do without the state where it is too large', () => {
    const details = JSON.parse(sessionDetails(input({ activity: 'x'.repeat(6_000_000) })));
    assert.deepEqual([details.title, details.state], ['Fix it', 'Too large to be shown.']);
  });
});

describe('branchName', () => {
  it('is that of the work tree, or that which was chosen, but not that from which a work tree was made', () => {
    const of = (values: object, _meta?: object) => branchName(session({ config: { schema: {}, values }, _meta }));
    assert.equal(of({ isolation: 'worktree', branch: 'main' }, { 'tapline.worktreeBranch': 'fix' }), 'fix');
    assert.equal(of({ isolation: 'worktree', branch: 'main' }), undefined);
    assert.equal(of({ isolation: 'folder', branch: 'main' }), 'main');
    assert.equal(of({ branch: 3 }), undefined);
    assert.equal(branchName(session()), undefined);
  });
});
