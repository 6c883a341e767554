import assert from 'node:assert/strict';
import { channelChat, channelSession } from '../../../../test/fakes/fakeChannelHost.ts';
import { ownerQuestions } from '../../../tap/wire/owner/ownerQuestions.ts';
import { sessionFacts } from './sessionFacts.ts';

const uri = 'ahp-chat://default/1';

describe('the facts of a session', () => {
  it('are those that its user sees', () => {
    const session = channelSession(uri, 'Mend it');
    const chat = channelChat(uri);
    const message = (text: string) => ({ text, origin: { kind: 'user' as const }, model: { id: 'model-1' } });
    const facts = sessionFacts(
      {
        ...session,
        activeClients: [{ clientId: 'me', displayName: 'VS Code', tools: [{ name: 'a' }] as never }],
        config: {
          schema: {
            type: 'object',
            properties: {
              mode: { type: 'string', title: 'Mode', enum: ['interactive', 'plan'], sessionMutable: true },
              branch: { type: 'string', title: 'Branch', enum: ['main'], default: 'main' },
              quick: { type: 'boolean', title: 'Quick' },
              token: { type: 'string', title: 'Token' },
            },
          },
          values: { mode: 'plan', quick: true, token: 'secret' },
        },
      },
      session.title,
      { ...chat, activity: 'Testing', queuedMessages: [{ id: 'q', message: message('then\nthis') }] },
      'me',
    );
    assert.deepEqual(ownerQuestions['session/facts'].result.parse(facts), facts);
    assert.deepEqual(
      { ...facts, agent: undefined },
      {
        ...{ title: 'Mend it', agent: undefined, activity: 'Testing', turn: 'idle', model: 'model-1' },
        settings: [
          { id: 'mode', title: 'Mode', value: 'plan', choices: ['interactive', 'plan'] },
          { id: 'branch', title: 'Branch', value: 'main' },
          { id: 'quick', title: 'Quick', value: true },
        ],
        ...{ queue: ['then this'], clients: [{ name: 'VS Code', tools: 1, isThisOwner: true }], tasks: [], background: [] },
      },
    );
  });

  it('stay within their bounds, whatever a host says', () => {
    const long = 'x'.repeat(5_000);
    const many = <T>(one: T) => Array.from({ length: 120 }, () => one);
    const session = channelSession(uri, long);
    const facts = sessionFacts(
      {
        ...session,
        activeClients: many({ clientId: 'c', displayName: long, tools: [] }),
        config: {
          schema: {
            type: 'object',
            properties: Object.fromEntries(many(0).map((_, at) => [`${long}${at}`, { type: 'string', title: long, enum: many(long) }])),
          },
          values: {},
        },
      },
      long,
      {
        ...channelChat(uri),
        activity: long,
        queuedMessages: many({ id: 'q', message: { text: long, origin: { kind: 'user' } } }),
        backgroundWork: many({ kind: 'shell', id: 'w', label: long, startedAt: 'now', command: long }),
      },
      'me',
    );
    assert.ok(ownerQuestions['session/facts'].result.safeParse(facts).success);
  });
});
