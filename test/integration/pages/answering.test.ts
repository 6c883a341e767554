/** An answer is checked and told about in the same way wherever it is given. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import type { SessionInputRequest } from '../../../src/ahp/channels/session/state.ts';
import type { ToolCallPendingConfirmationState } from '../../../src/ahp/channels/shapes/toolCall.ts';
import type { InputRequest } from '../../../src/ahp/common/inputRequest.ts';
import { SessionStatus } from '../../../src/ahp/common/status.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { InboxPage } from '../../../src/pages/inbox/inboxPage.ts';
import type { ShownHost } from '../../../src/pages/shownHost.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import { Answerers } from '../../../src/portal/hostSessions/people/answerers.ts';
import { PortalAttention } from '../../../src/portal/attention/portalAttention.ts';
import { Attention } from '../../../src/views/attention/attention.ts';
import { confirm, questionKey } from '../../../src/views/session/waiting/waiting.ts';
import type { InboxExtensionMessage } from '../../../src/webviews/inbox/protocol.ts';
import type { ExtensionMessage, RejectedMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';
import { said } from '../../fakes/models.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const ref = { hostId: 'h', uri: SESSION };

const call = (toolInput: string): ToolCallPendingConfirmationState => ({
  ...{ toolCallId: 'c', toolName: 'bash', displayName: 'Run', invocationMessage: 'Running', status: 'pending-confirmation', toolInput },
});
const question = (message: string): InputRequest => ({ id: 'q', message });

/** What is asked, and how somebody answers who has seen exactly this. */
interface AnswerCase {
  part: object;
  needed: SessionInputRequest;
  action: object;
  asked?: string;
  decision: { decision: 'approve' } | { decision: 'accept' };
}
const asksCall = (toolInput: string): AnswerCase => ({
  part: { kind: 'toolCall', toolCall: call(toolInput) },
  needed: { kind: 'toolConfirmation', id: 'n', chat: CHAT, turnId: 't', toolCall: call(toolInput) },
  action: confirm('t', call(toolInput), { approve: true }),
  decision: { decision: 'approve' },
});
const asksQuestion = (message: string): AnswerCase => ({
  part: { kind: 'inputRequest', request: question(message) },
  needed: { kind: 'chatInput', id: 'n', chat: CHAT, request: question(message) },
  action: { type: 'chat/inputCompleted', requestId: 'q', response: 'accept', answers: {} },
  asked: questionKey(question(message)),
  decision: { decision: 'accept' },
});

/** `nothing`: it was not sent, and whoever answered was told. */
type Outcome = 'confirmed' | 'nothing' | 'rejected' | 'unknown';

interface World {
  host: FakeChannelHost;
  client: AgentHostClient;
  store: DisposableStore;
  /** What was done at the host. */
  done(): unknown[];
  /** Why nothing can be done at the host any more. */
  readOnly?: string;
  /** Cuts the connection, which comes back by itself. */
  cut(): void;
}

/** Answers what was seen, and says what came of it, as the one who answers is told. */
type Answerer = (world: World, seen: AnswerCase) => Promise<{ outcome: () => Promise<Outcome> }>;

function hostOf(world: World): ShownHost {
  return Object.defineProperty(shownHost(world.client), 'readOnly', { get: () => world.readOnly });
}

async function told({ client, done }: World, refusals: () => RejectedMessage[]): Promise<Outcome> {
  const isConfirmed = () => done().length > 0 && client.pendingIn(CHAT).length === 0;
  await eventually(() => refusals().length > 0 || (client.state.kind === 'connected' && isConfirmed()), 'what came of it');
  const [refusal] = refusals();
  if (!refusal) return 'confirmed';
  return refusal.clientSeq <= 0 ? 'nothing' : (refusal.outcome ?? 'rejected');
}

const answerers: Record<string, Answerer> = {
  'the page of the session': async (world, { action, asked }) => {
    const { store } = world;
    const page = new FakePage<ExtensionMessage>();
    const session = store.add(new SessionPage(page.port, sessionServices(new FakeShell(), shownHosts(hostOf(world)))));
    session.show(ref);
    page.say({ type: 'ready' });
    const say = (message: object) => page.say({ type: 'inSession', session: ref, message });
    say({ type: 'watch', uri: CHAT, kind: 'chat' });
    const isThere = (uri: string) => page.messages.some((one) => one.type === 'snapshot' && one.uri === uri && one.confirmed);
    await eventually(() => isThere(CHAT) && isThere(SESSION), 'the chat');
    say({ type: 'dispatch', uri: CHAT, action, ...(asked !== undefined && { asked }) });
    return { outcome: () => told(world, () => page.messages.filter((one) => one.type === 'rejected')) };
  },
  'a card of Needs You': async (world, { action, asked }) => {
    const { store } = world;
    const hosts = shownHosts(hostOf(world));
    const attention = store.add(new Attention(hosts as never, systemClock));
    await eventually(() => attention.items.some(({ waiting }) => waiting), 'what waits');
    const page = new FakePage<InboxExtensionMessage>();
    const { logger, focus, showError, copy, openExternal } = new FakeShell();
    const shell = { logger, focus, showError, copy, openExternal };
    store.add(new InboxPage(page.port, { ...shell, hosts, attention, openItem: async () => undefined, markRead: async () => undefined }));
    page.say({ type: 'ready' });
    const message = { type: 'dispatch', uri: CHAT, action, ...(asked !== undefined && { asked }) };
    page.say({ type: 'inSession', session: ref, message });
    const rejected = () =>
      page.messages.flatMap((one) => (one.type === 'inSession' && one.message.type === 'rejected' ? [one.message] : []));
    return { outcome: () => told(world, rejected) };
  },
  'the API of the portal': async ({ client, store }, { decision }) => {
    const sessions = { urisAt: () => new Set<string>(), onDidChange: () => ({ dispose: () => undefined }), answerers: new Answerers() };
    const attention = store.add(new PortalAttention({ client, sessions }, systemClock));
    await eventually(() => attention.list().items.some(({ kind }) => kind !== 'unknown'), 'what waits');
    const [{ id, revision } = assert.fail()] = attention.list().items;
    const answered = attention.answer(id, revision, decision);
    return {
      outcome: async () => {
        const outcome = await answered;
        if ('result' in outcome) return 'confirmed';
        if (outcome.error === 'OutcomeUnknown') return 'unknown';
        return outcome.error === 'AnswerRefused' && !outcome.message.endsWith('Nothing was sent.') ? 'rejected' : 'nothing';
      },
    };
  },
};

interface Case {
  name: string;
  seen: AnswerCase;
  /** What is asked in the chat by now, where that is something else. The session does not say so yet. */
  now?: AnswerCase;
  prepare?(host: FakeChannelHost): void;
  meanwhile?(world: World): Promise<void>;
  outcome: Outcome;
  /** How often it was done at the host. */
  times: number;
  /** Absent: all. A page that shows a chat takes what is done while its state is on its way. */
  only?: readonly string[];
}

const refuse = (host: FakeChannelHost) => {
  host.methods['dispatchAction'] = ({ channel, clientSeq, action }, { clientId }) =>
    void host.emit(action, { clientId, clientSeq }, 'not today', channel);
};
const cases: Case[] = [
  { name: 'to a call that asks the same is given', seen: asksCall('ls'), outcome: 'confirmed', times: 1 },
  { name: 'to a question that asks the same is given', seen: asksQuestion('Which?'), outcome: 'confirmed', times: 1 },
  {
    name: 'to a call that asks something else by now is not',
    seen: asksCall('ls'),
    now: asksCall('rm -rf /'),
    outcome: 'nothing',
    times: 0,
  },
  {
    name: 'to a question that asks something else by now is not',
    seen: asksQuestion('A?'),
    now: asksQuestion('B?'),
    outcome: 'nothing',
    times: 0,
  },
  { name: 'that the host refuses is told of', seen: asksCall('ls'), prepare: refuse, outcome: 'rejected', times: 0 },
  {
    name: 'is told of where its outcome is not known',
    seen: asksCall('ls'),
    prepare: (host) => (host.methods['dispatchAction'] = () => undefined),
    meanwhile: async ({ host, client }) => {
      await eventually(() => host.paramsOf('dispatchAction').length > 0, 'the answer at the host');
      client.dispose();
    },
    outcome: 'unknown',
    times: 0,
  },
  {
    name: 'to a chat that the host does not give is not given',
    seen: asksCall('ls'),
    prepare: (host) => host.states.delete(CHAT),
    outcome: 'nothing',
    times: 0,
    only: ['a card of Needs You', 'the API of the portal'],
  },
  {
    name: 'that was lost with the connection is not given again where by then nothing can be done at the host',
    seen: asksCall('ls'),
    prepare: (host) => (host.methods['dispatchAction'] = () => undefined),
    meanwhile: async (lost) => {
      const { host } = lost;
      await eventually(() => host.paramsOf('dispatchAction').length > 0, 'the answer at the host');
      lost.readOnly = 'The run has ended.';
      delete host.methods['dispatchAction'];
      lost.cut();
    },
    outcome: 'unknown',
    times: 0,
    only: ['the page of the session', 'a card of Needs You'],
  },
];

describe('an answer', () => {
  let world: World;
  afterEach(() => {
    world.store.dispose();
    world.client.dispose();
  });

  async function open({ seen, now = seen, prepare }: Case): Promise<World> {
    const host = new FakeChannelHost('1.0.0');
    const status = SessionStatus.InputNeeded;
    host.summaries = [{ ...channelSummary(SESSION), status }] as never;
    host.put(SESSION, { ...channelSession(CHAT), status, inputNeeded: [seen.needed] });
    const activeTurn = { id: 't', message: said('Do it'), responseParts: [now.part] } as unknown as NonNullable<ChatState['activeTurn']>;
    host.put(CHAT, { ...channelChat(CHAT), status, activeTurn });
    prepare?.(host);
    const { transport, lines } = memoryTransport(host);
    const client = await AgentHostClient.connect({ url: 'ws://h:1', transport });
    await eventually(() => client.sessions.state === 'ready', 'the list of sessions');
    const done = () =>
      host.log.filter(({ origin, rejectionReason, action }) => origin && rejectionReason === undefined && action.type.startsWith('chat/'));
    return { host, client, store: new DisposableStore(), done, cut: () => lines.at(-1)?.drop() };
  }

  for (const [by, answer] of Object.entries(answerers))
    describe(`in ${by}`, () => {
      for (const one of cases.filter(({ only }) => !only || only.includes(by)))
        it(one.name, async () => {
          world = await open(one);
          const { outcome } = await answer(world, one.seen);
          await one.meanwhile?.(world);
          assert.equal(await outcome(), one.outcome);
          assert.equal(world.done().length, one.times);
        });
    });
});
