import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ChatState, Turn } from '../../../ahp/channels/chat/state.ts';
import type { AgentInfo } from '../../../ahp/channels/root.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { SessionConfigPropertySchema } from '../../../ahp/channels/shapes/config.ts';
import { ErrorCode } from '../../../ahp/common/errors.ts';
import { SessionStatus } from '../../../ahp/common/status.ts';
import { WORKTREE_BRANCH } from '../../../ahp/sessionMetaKeys.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import type { Agent } from '../../agents/agent.ts';
import { annotationsUri, changesUri, chatUri } from '../../state/chatUris.ts';
import { StateStore } from '../../state/stateStore.ts';
import { Authentication } from './authentication.ts';
import { SessionConfigs } from './sessionConfigs.ts';
import { prepareSession, type SessionPreparation, type SessionRequest } from './sessionPreparation.ts';

const NOW = Date.parse('2027-01-01T00:00:00.000Z');
const TIME = '2027-01-01T00:00:00.000Z';

describe('what a new session starts with', () => {
  const uri = 'demo:/new';
  let folder: string;
  let directory: string;
  let preparation: SessionPreparation;
  let properties: Record<string, SessionConfigPropertySchema>;
  let source: { session: SessionState; chat: ChatState };

  const info = (provider: string): AgentInfo => ({
    provider,
    displayName: provider,
    description: '',
    models: [{ id: 'm1', provider, name: '' }],
  });
  const agentOf = (provider: string, fields: Partial<AgentInfo> = {}): Agent =>
    ({
      info: { ...info(provider), ...fields },
      resolveSessionConfig: ({ config = {} }: { config?: Record<string, unknown> }) => {
        const values = Object.fromEntries(Object.entries({ mode: 'ask', ...config }).filter(([key]) => key in properties));
        return Promise.resolve({ schema: { type: 'object', properties }, values });
      },
    }) as unknown as Agent;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-preparation-')));
    directory = pathToFileURL(folder).href;
    properties = {};
    const agents = [agentOf('demo'), agentOf('other'), agentOf('locked', { protectedResources: [{ resource: 'https://x.example' }] })];
    const store = new StateStore({ now: () => NOW });
    store.dispatch('ahp-root://', { type: 'root/agentsChanged', agents: agents.map((agent) => agent.info) });
    const turn = (id: string): Turn => ({ id, message: { text: id, origin: { kind: 'user' } }, responseParts: [], state: 'complete' });
    source = {
      session: {
        provider: 'other',
        title: 'Source',
        status: 1,
        lifecycle: 'ready',
        activeClients: [{ clientId: 'other', tools: [] }],
        chats: [],
        workingDirectories: [directory],
        _meta: { [WORKTREE_BRANCH]: 'topic', own: 'not inherited' },
      },
      chat: {
        ...{ resource: 'ahp-chat://source', title: '', status: SessionStatus.InProgress, modifiedAt: '' },
        turns: ['t1', 't2', 't3'].map(turn),
        activeTurn: { id: 't4', message: { text: '', origin: { kind: 'user' } }, responseParts: [] },
        draft: { text: 'half', origin: { kind: 'user' }, model: { id: 'm1' } },
        queuedMessages: [{ id: 'q', message: { text: '', origin: { kind: 'user' } } }],
      },
    };
    preparation = {
      store,
      authentication: new Authentication(agents),
      defaultDirectory: directory,
      configs: new SessionConfigs(undefined),
      isConnected: (clientId) => clientId === 'me',
      agent: (provider) => {
        const agent = provider === undefined ? agents[0] : agents.find((one) => one.info.provider === provider);
        if (!agent) throw new RpcError(ErrorCode.ProviderNotFound, `there is no agent ${provider}`);
        return agent;
      },
      chatOf: () => source,
    };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const prepare = async (request: Partial<SessionRequest> = {}, clientId = 'me') => {
    const { facts, channels } = await prepareSession(preparation, { session: uri, ...request }, clientId);
    const [session, chat, changes] = channels;
    assert.ok(session?.kind === 'session' && chat?.kind === 'chat' && changes?.kind === 'changeset');
    assert.equal(channels.length, 3);
    return { facts, session: session.state, chat: chat.state, uris: channels.map(({ channel }) => channel) };
  };
  const problem = async (request: Partial<SessionRequest>): Promise<[code: unknown, message: string]> => {
    try {
      await prepare(request);
    } catch (error) {
      assert.ok(error instanceof RpcError);
      return [error.code, error.message];
    }
    return [undefined, 'accepted'];
  };

  it('is a session with one chat and the changeset of its files', async () => {
    const { facts, session, chat, uris } = await prepare();
    assert.deepEqual(uris, [uri, chatUri(uri), changesUri(uri)]);
    assert.deepEqual(facts, { uri, workingDirectory: folder, createdAt: NOW });
    const summary = { resource: chatUri(uri), title: '', status: SessionStatus.Idle, modifiedAt: TIME, workingDirectories: [directory] };
    assert.deepEqual(session, {
      provider: 'demo',
      title: '',
      status: SessionStatus.Idle,
      workingDirectories: [directory],
      lifecycle: 'creating',
      activeClients: [],
      chats: [summary],
      defaultChat: chatUri(uri),
      annotations: { resource: annotationsUri(uri), annotationCount: 0, entryCount: 0 },
    });
    assert.deepEqual(chat, { ...summary, turns: [] });
  });

  it('has the model in the draft of its chat, and the client that creates it', async () => {
    const { session, chat } = await prepare({ model: { id: 'm1' }, activeClient: { clientId: 'me', tools: [{ name: 'x' }] } });
    assert.deepEqual(chat.draft, { text: '', origin: { kind: 'user' }, model: { id: 'm1' } });
    assert.deepEqual(session.activeClients, [{ clientId: 'me', tools: [{ name: 'x' }] }]);
    preparation.isConnected = () => false;
    assert.deepEqual((await prepare({ activeClient: { clientId: 'me', tools: [] } })).session.activeClients, [], 'it has left meanwhile');
  });

  it('is refused where something does not fit, and says what', async () => {
    const refused: [Partial<SessionRequest>, code: number, RegExp][] = [
      [{ provider: 'none' }, ErrorCode.ProviderNotFound, /no agent none/],
      [{ provider: 'locked' }, ErrorCode.AuthRequired, /sign in/],
      [{ model: { id: 'm2' } }, ErrorCode.InvalidParams, /^model: The model m2 is not offered any more/],
      [{ activeClient: { clientId: 'other', tools: [] } }, ErrorCode.InvalidParams, /activeClient\.clientId/],
      [{ fork: { chat: 'c', turnId: 't4' } }, ErrorCode.TurnInProgress, /t4 is in progress/],
      [{ fork: { chat: 'c', turnId: 'none' } }, ErrorCode.InvalidParams, /no finished turn none/],
      [{ fork: { chat: 'c', turnId: 't1' }, provider: 'demo' }, ErrorCode.InvalidParams, /provider must be that/],
      [{ config: { mode: 'ask' } }, ErrorCode.InvalidParams, /config\.mode is not in the schema/],
    ];
    for (const [request, code, message] of refused) {
      const [found, said] = await problem(request);
      assert.equal(found, code, said);
      assert.match(said, message);
    }
    assert.match((await problem({ workingDirectory: `${directory}/none` }))[1], /^workingDirectory/);
    preparation.defaultDirectory = undefined;
    assert.match((await problem({}))[1], /workingDirectory is missing/);
  });

  it('has the settings that its agent knows; what a client adds of its own is an error, or left out', async () => {
    properties = { mode: { type: 'string', title: '', enum: ['ask', 'auto'] } };
    assert.deepEqual((await prepare()).session.config?.values, { mode: 'ask' });
    assert.deepEqual((await prepare({ config: { mode: 'auto' } })).session.config?.values, { mode: 'auto' });
    assert.match((await problem({ config: { mode: 'auto', own: 1 } }))[1], /config\.own is not in the schema/);
    const { session } = await prepare({ config: { mode: 'auto', own: 1 }, taken: 'what fits' });
    assert.deepEqual(session.config?.values, { mode: 'auto' });
  });

  it('as a fork has the turns up to one, the agent, model, title, folder and branch of its source, and nothing that is going on there', async () => {
    const { session, chat } = await prepare({ fork: { chat: 'c', turnId: 't2' } });
    assert.deepEqual(
      chat.turns.map(({ id }) => id),
      ['t1', 't2'],
    );
    assert.deepEqual([chat.activeTurn, chat.queuedMessages, chat.status], [undefined, undefined, SessionStatus.Idle]);
    assert.deepEqual(chat.draft, { text: '', origin: { kind: 'user' }, model: { id: 'm1' } });
    assert.deepEqual([session.provider, session.title, session.chats[0]?.title], ['other', 'Source', 'Source']);
    assert.deepEqual([session.workingDirectories, session.activeClients], [[directory], []]);
    assert.deepEqual(session._meta, { [WORKTREE_BRANCH]: 'topic' });
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-preparation-')));
    try {
      const moved = await prepare({ fork: { chat: 'c', turnId: 't2' }, workingDirectory: pathToFileURL(elsewhere).href });
      assert.equal(moved.session._meta, undefined, 'another folder is not on that branch');
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });
});
