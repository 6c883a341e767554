import assert from 'node:assert/strict';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { SessionConfigPropertySchema } from '../../../ahp/channels/shapes/config.ts';
import { allowedRows, newlyUnasked, unaskedQuestion, unaskedSettings } from './unaskedSettings.ts';

const approvals: SessionConfigPropertySchema = {
  type: 'string',
  title: 'Approvals',
  enum: ['ask', 'edits', 'all'],
  enumLabels: ['Ask', 'Edit without asking', 'Do everything\u202e without asking'],
  enumDescriptions: ['', '', 'Commands run at once.'],
  default: 'ask',
  sessionMutable: true,
};

function session(properties: Record<string, SessionConfigPropertySchema>, values: Record<string, unknown>, meta?: unknown): SessionState {
  return {
    workingDirectories: ['file:///work'],
    config: { schema: { type: 'object', properties }, values },
    _meta: meta,
  } as unknown as SessionState;
}

describe('the question before an agent does everything without asking', () => {
  it('says of a host that it is about all of its sessions and everybody, and that no session says so', () => {
    const { question, lasts, accept } = unaskedQuestion.ofHost('build-box');
    assert.equal(question, 'Let the agents of “build-box” act without asking anybody?');
    assert.match(lasts, /all sessions of the host, of everybody who uses it.*Nothing in the sessions says so/);
    assert.equal(accept, 'Stop Asking');
  });

  it('says of a session that it says so', () => {
    assert.match(unaskedQuestion.ofSession('Fix it').question, /the agent of “Fix it”/);
    assert.match(unaskedQuestion.ofSession('Fix it').lasts, /The session says so/);
  });
});

describe('what an agent may do without asking', () => {
  it('is said by the settings of our host and of VS Code', () => {
    assert.deepEqual(unaskedSettings(session({ approvals }, { approvals: 'edits' })), []);
    assert.deepEqual(unaskedSettings(session({ approvals }, {})), []);
    assert.deepEqual(unaskedSettings({ ...session({}, {}), config: undefined }), []);
    assert.deepEqual(unaskedSettings(session({ approvals }, { approvals: 'all' })), [
      { id: 'approvals', label: 'Do everything  without asking', description: 'Commands run at once.', asks: 'ask' },
    ]);
    const theirs = { ...approvals, enum: ['default', 'autoApprove'], enumLabels: undefined, default: 'autoApprove' };
    assert.deepEqual(unaskedSettings(session({ autoApprove: theirs as never }, {})), [
      { id: 'autoApprove', label: 'autoApprove', description: '', asks: 'default' },
    ]);
  });

  it('can be ended only where the setting can be changed, to a value with which it asks', () => {
    for (const property of [
      { ...approvals, sessionMutable: false },
      { ...approvals, readOnly: true },
      { ...approvals, enum: ['all'], default: 'all' },
    ])
      assert.deepEqual(
        unaskedSettings(session({ approvals: property }, { approvals: 'all' })).map(({ asks }) => asks),
        [undefined],
      );
    const noSchema = unaskedSettings(session({}, { approvals: 'auto' }));
    assert.deepEqual(noSchema, [{ id: 'approvals', label: 'auto', description: '' }]);
  });

  it('is about to begin with a change to such a value, but not with any other', () => {
    const asking = session({ approvals }, { approvals: 'ask' });
    const names = (state: SessionState, change: Record<string, unknown>) => newlyUnasked(state, change).map(({ id }) => id);
    assert.deepEqual(names(asking, { approvals: 'all' }), ['approvals']);
    assert.deepEqual(names(asking, { approvals: 'all', autoApprove: 'autopilot' }), ['approvals', 'autoApprove']);
    for (const change of [{ approvals: 'edits' }, { mode: 'all' }, { approvals: true }, { constructor: 'all' }, {}])
      assert.deepEqual(names(asking, change), []);
    assert.deepEqual(names(session({ approvals }, { approvals: 'all' }), { approvals: 'all' }), []);
  });

  it('is what the user has allowed, newest first, as it was allowed', () => {
    const grants = [
      { kind: 'command', text: 'rm\u202e -rf x' },
      { kind: 'read', root: '/work' },
      { kind: 'write', root: '/work/a' },
      { kind: 'url', origin: 'https://a.example' },
      { kind: 'tool', name: 'shop/order' },
      { kind: 'lentTool', name: 'lookup', provider: 'zoo', trust: 'project', digest: 'd' },
      { kind: 'lentTool', name: 'lookup', provider: 'zoo\u202e', trust: 'external', origin: 'https://zoo.example', digest: 'd' },
      { kind: 'lentTool', name: 'lookup', digest: 'd' },
      { kind: 'everyCommand', turnId: 't' },
      { kind: 'something later' },
    ];
    assert.deepEqual(
      allowedRows(session({}, {}, { 'tapline.grants': grants })).map(({ what, exactly }) => [what, exactly]),
      [
        ['Run every command', undefined],
        ['Call this tool (of a client)', 'lookup'],
        ['Call this tool (paired, https://zoo.example: “zoo”)', 'lookup'],
        ['Call this tool (program on this computer: “zoo”)', 'lookup'],
        ['Call this tool', 'shop/order'],
        ['Fetch pages of', 'https://a.example'],
        ['Write this file, or everything in this folder', '/work/a'],
        ['Read everything in the working directory', '/work'],
        ['Run this command', 'rm\u202e -rf x'],
      ],
    );
    assert.deepEqual(allowedRows(session({}, {}, { 'tapline.grants': 1 })), []);
  });
});
