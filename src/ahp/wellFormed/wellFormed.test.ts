import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChannelKind, type ChannelStates, channelReducers } from '../channels/channelReducers.ts';
import { isStateOf } from '../channels/reducers/isStateOf.ts';
import type { ChatState } from '../channels/chat/state.ts';
import { message } from '../channels/shapes/message.ts';
import { wellFormedAnswer } from './answers.ts';
import { wellFormedSummary } from './summary.ts';
import { wellFormed } from './wellFormed.ts';
import { runs } from '../../../test/support/runs.ts';

const chat = 'ahp-chat://a/1';
const said = {
  text: 'Go',
  origin: { kind: 'user' },
  model: { id: 'm', config: { effort: 'low' } },
  attachments: [{ type: 'resource', label: 'a', uri: 'file:///a' }],
};
const call = { toolCallId: 'c', toolName: 'bash', displayName: 'Bash', invocationMessage: { markdown: '`x`' }, toolInput: '{}' };
const edit = { after: { uri: 'file:///a', content: { uri: 'x:1' } }, diff: { added: 1 } };
const parts = [
  { kind: 'markdown', id: 'm', content: 'x' },
  { kind: 'toolCall', toolCall: { ...call, status: 'pending-confirmation', edits: { items: [edit] } } },
  {
    kind: 'toolCall',
    toolCall: { ...call, status: 'completed', success: true, pastTenseMessage: 'Ran', content: [{ type: 'text', text: 'x' }] },
  },
  { kind: 'inputRequest', request: { id: 'i', questions: [{ kind: 'text', id: 'q', message: 'Which?' }] } },
  { kind: 'error', error: { errorType: 'x', message: 'no' } },
];
const config = { schema: { type: 'object', properties: { mode: { type: 'string', title: 'M', enum: ['a'] } } }, values: { mode: 'a' } };
const listed = { resource: chat, title: 'T', status: 1, modifiedAt: '', origin: { kind: 'fork', chat, turnId: 't' } };
const run = { resource: 'x:r', automation: 'x:a', origin: { kind: 'manual' }, lifecycle: { status: 'pending', createdAt: '' } };
/** Of each kind one that fits. */
const samples = {
  root: {
    agents: [{ provider: 'p', displayName: 'P', description: '', models: [{ id: 'm', provider: 'p', name: 'M' }] }],
    terminals: [{ resource: 'x:t', title: '', claim: { kind: 'client', clientId: 'c' }, lifecycle: { status: 'running' } }],
    config,
  },
  session: {
    ...{ provider: 'p', title: 'T', status: 1, lifecycle: 'ready', defaultChat: chat, chats: [listed], config },
    activeClients: [{ clientId: 'c', tools: [{ name: 'look' }] }],
    customizations: [{ type: 'plugin', id: 'x', uri: 'x:p', name: 'P' }],
    changesets: [{ label: 'All', uriTemplate: 'x:c', changeKind: 'session' }],
    inputNeeded: [{ kind: 'toolConfirmation', id: 'i', chat, turnId: 't', toolCall: { ...call, status: 'pending-confirmation' } }],
    annotations: { resource: 'x:n', annotationCount: 1, entryCount: 1 },
  },
  chat: {
    ...{ resource: chat, title: 'T', status: 1, modifiedAt: '', draft: said, queuedMessages: [{ id: 'q', message: said }] },
    turns: [{ id: 't', message: said, responseParts: parts, state: 'complete', usage: { inputTokens: 1 } }],
    activeTurn: { id: 'u', message: said, responseParts: parts, startedAt: '' },
  },
  terminal: { title: 'T', lifecycle: { status: 'exited', exitCode: 1 }, content: [{ type: 'unclassified', value: 'x' }] },
  changeset: {
    ...{ status: 'ready', files: [{ id: 'a', edit }] },
    operations: [{ id: 'o', label: 'O', scopes: ['changeset'], status: 'idle', confirmation: 'Sure?' }],
  },
  annotations: { annotations: [{ id: 'a', resource: 'file:///a', resolved: false, entries: [{ id: 'e', text: { markdown: 'x' } }] }] },
  resourceWatch: { root: 'file:///w', recursive: true, includes: { items: ['*'] } },
  automations: {
    entries: [
      {
        resource: 'x:a',
        definition: { title: 'A', message: said, session: {}, enabled: true, triggers: [{ kind: 'event', title: 'E', type: 'e' }] },
        runs: [{ ...run, sessionCount: 1 }],
        operations: ['run'],
      },
    ],
  },
  automationRun: { ...run, sessions: ['x:s'] },
  canvas: { instanceId: 'i', extensionId: 'e', canvasId: 'c', title: 'T' },
} as unknown as ChannelStates;
const kinds = Object.keys(samples) as ChannelKind[];

function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[key], ...pathsOf(member).map((path) => [key, ...path])]);
}

function withValueAt(value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return other;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = withValueAt(copy[key], rest, other);
  return copy;
}

/** The sample with any values at some places, or anything at all. */
function junkOf(kind: ChannelKind): fc.Arbitrary<ChannelStates[ChannelKind]> {
  const values = fc.oneof(fc.anything(), fc.constantFrom(null, undefined, [], {}, '', 7, Number.NaN, [null], { kind: 7 }));
  const changes = fc.array(fc.tuple(fc.constantFrom(...pathsOf(samples[kind])), values), { minLength: 1, maxLength: 5 });
  const spoilt = changes.map((all) => all.reduce<unknown>((state, [path, value]) => withValueAt(state, path, value), samples[kind]));
  return fc.oneof({ weight: 9, arbitrary: spoilt }, { weight: 1, arbitrary: fc.anything() }) as fc.Arbitrary<ChannelStates[ChannelKind]>;
}

const checked = (kind: ChannelKind, state: object) => (wellFormed[kind] as (state: object) => ChannelStates[ChannelKind])(state);

describe('wellFormed', () => {
  for (const kind of kinds) {
    it(`keeps a ${kind} that fits`, () => {
      assert.equal(checked(kind, samples[kind]), samples[kind]);
    });

    it(`makes of anything a ${kind} that fits, the same one each time`, () => {
      fc.assert(
        fc.property(junkOf(kind), (junk) => {
          const state = checked(kind, junk);
          assert.ok(isStateOf(kind, state));
          assert.equal(checked(kind, state), state, 'a second look finds nothing more to do');
          assert.equal(checked(kind, junk), state);
        }),
        { numRuns: runs(300) },
      );
    });
  }

  it('leaves only messages that their schema takes', () => {
    fc.assert(
      fc.property(junkOf('chat'), (junk) => {
        const { turns, activeTurn, queuedMessages = [], draft } = wellFormed.chat(junk as ChatState);
        const all = [...turns, ...queuedMessages].map((one) => one.message);
        for (const one of [...all, activeTurn?.message ?? draft, draft]) if (one) assert.ok(message.safeParse(one).success);
      }),
    );
  });

  it('leaves what it made of a state alone where an action changes nothing', () => {
    const spoilt = withValueAt(samples.chat, ['turns', '0', 'responseParts', '1'], 7) as ChatState;
    const before = wellFormed.chat(spoilt);
    assert.notEqual(before.turns, spoilt.turns);
    const next = channelReducers.chat(spoilt, { type: 'chat/delta', turnId: 'u', partId: 'm', content: ' y' }, 0);
    assert.notEqual(next, spoilt);
    const after = wellFormed.chat(next);
    assert.equal(after.turns, before.turns);
    assert.deepEqual(after.activeTurn?.responseParts[0], { kind: 'markdown', id: 'm', content: 'x y' });
    for (const index of [1, 2, 3, 4]) assert.equal(after.activeTurn?.responseParts[index], before.activeTurn?.responseParts[index]);
    const ended = wellFormed.chat(channelReducers.chat(next, { type: 'chat/turnComplete', turnId: 'u', duration: 1 }, 0));
    assert.equal(ended.turns.length, 2);
    assert.equal(ended.turns[0], before.turns[0]);
  });
});

describe('wellFormedSummary', () => {
  it('makes of anything with a resource a summary that fits', () => {
    const summary = { ...listed, provider: 'p', createdAt: '', chats: [listed], defaultChat: chat, _meta: {} };
    assert.equal(wellFormedSummary(summary as never), summary);
    const fields = fc.record(Object.fromEntries(Object.keys(summary).map((key) => [key, fc.anything()])), { requiredKeys: [] });
    fc.assert(
      fc.property(fields, fc.boolean(), (junk, isNamed) => {
        const made = wellFormedSummary({ ...junk, resource: isNamed ? 'x:1' : 7 } as never);
        assert.equal(made?.resource, isNamed ? 'x:1' : undefined);
        if (made) assert.equal(wellFormedSummary(made), made);
      }),
    );
  });
});

describe('wellFormedAnswer', () => {
  it('makes of anything an answer whose lists can be read', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ entries: fc.anything(), items: fc.anything(), schema: fc.anything() })), (junk) => {
        for (const { name, type } of wellFormedAnswer('resourceList', junk).entries) assert.equal(typeof name, typeof type);
        for (const { value, label } of wellFormedAnswer('sessionConfigCompletions', junk).items) assert.equal(typeof value, typeof label);
        const { schema, values } = wellFormedAnswer('resolveSessionConfig', junk);
        assert.deepEqual([typeof schema.properties, typeof values], ['object', 'object']);
      }),
    );
  });

  it('leaves the answers that are checked by their readers', () => {
    const answer = { data: 7 };
    assert.equal(wellFormedAnswer('resourceRead', answer), answer);
  });
});
