import assert from 'node:assert/strict';
import { ASKED } from '../../ahp/common/callQuestion.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState as ChannelSession } from '../../ahp/channels/session/state.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import { type ActionEnvelope, resourceOf, type StateAction } from '../../ahp/v1/actions.ts';
import type { ResourceState, Snapshot } from '../../ahp/v1/commands.ts';
import { sameState } from '../../ahp/dialects/v1/sameState.ts';
import { reducerFor } from '../../ahp/v1/reducers/reduceAll.ts';
import type { RootState } from '../../ahp/v1/root.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import type { TerminalState } from '../../ahp/v1/terminal.ts';
import { upgradedChanges, upgradedChat, upgradedRoot, upgradedSession, upgradedTerminal } from '../../ahp/v1/upgrade.ts';
import { describeShared, sharedFiles, sharedJson, sharedLines } from '../../../test/support/shared.ts';
import { toldByHost, v1Transcripts } from '../../../test/support/transcript.ts';
import { chatUri, subagentChatUri } from '../state/chatUris.ts';
import { listedSession } from '../state/listedSession.ts';
import { v1Turns } from './words/v1Parts.ts';
import { editsIn, v1Root, v1SessionState, v1Summaries, v1TerminalState } from './words/states.ts';

const NOW = 9999;
const uris: Record<string, string> = { root: 'agenthost:/root', session: 'copilot:/s', terminal: 'agenthost-terminal:/1' };

/** What AHP v1 says, upgraded and told again. */
function toldAgain(state: ResourceState): ResourceState {
  if ('agents' in state) return v1Root(upgradedRoot(state as RootState));
  if ('content' in state) return v1TerminalState(upgradedTerminal(state as TerminalState));
  const session = state as SessionState;
  const { resource: uri, createdAt } = session.summary;
  const edits = editsIn(upgradedChanges(session.summary));
  return v1SessionState({ uri, createdAt }, upgradedSession(session), upgradedChat(session), edits, () => true);
}

/** An empty list of diffs is none, and channels have questions within a turn only. */
function comparable(state: ResourceState): ResourceState {
  if (!('summary' in state)) return state;
  const { diffs, ...summary } = state.summary;
  const { inputRequests, ...rest } = state;
  return {
    ...{ ...rest, ...(state.activeTurn && { inputRequests }) },
    summary: { ...summary, ...(diffs && diffs.length > 0 && { diffs }) },
  } as ResourceState;
}

function check(state: ResourceState): void {
  const told = toldAgain(state);
  if (!sameState(told, comparable(state))) assert.deepEqual(JSON.parse(JSON.stringify(told)), JSON.parse(JSON.stringify(state)));
}

describeShared('states of AHP v1 that are upgraded and told again', (dir) => {
  it('are what they were in all reducer cases', () => {
    for (const name of sharedFiles(dir, 'conformance/reducers-v1', /\.json$/)) {
      const text = JSON.stringify(sharedJson(dir, `conformance/reducers-v1/${name}`));
      // `null` stands for absent.
      const one = JSON.parse(text, (_key, value: unknown) => (value === null ? undefined : value)) as Record<string, ResourceState>;
      for (const state of [one['initial'], one['expected']]) if (state) check(state);
    }
  });

  it('are what they were after each action of all traces', () => {
    for (const line of sharedLines(dir, 'conformance/traces-v1.jsonl')) {
      const trace = JSON.parse(line) as { reducer: string; initial: ResourceState; steps: { actions: StateAction[] }[] };
      let state = trace.initial;
      for (const action of trace.steps.flatMap(({ actions }) => actions)) {
        state = reducerFor(uris[trace.reducer] ?? '')(state, action, NOW);
        check(state);
      }
    }
  });

  it('are what they were in what a real host said', () => {
    for (const name of v1Transcripts(dir)) {
      const states = new Map<string, ResourceState>();
      for (const { snapshots, envelope } of toldByHost<Snapshot, ActionEnvelope>(dir, name)) {
        for (const { resource, state } of snapshots) states.set(resource, state);
        const resource = (envelope && resourceOf(envelope.action)) ?? '';
        const before = states.get(resource);
        if (envelope && before) states.set(resource, reducerFor(resource)(before, envelope.action, NOW));
        for (const state of states.values()) check(state);
      }
    }
  });
});

describe('states of channels, as AHP v1 has them', () => {
  const uri = 'copilot:/1';
  const createdAt = Date.UTC(2027, 0, 1);
  const time = '2027-01-02T00:00:00.000Z';
  const base = { toolName: 'rm', displayName: 'rm', invocationMessage: 'rm' };
  const sub = subagentChatUri(chatUri(uri), 'c');
  const chat: ChatState = {
    ...{ resource: chatUri(uri), title: 'T', status: 24 + 32, modifiedAt: time, draft: { text: 'so far', origin: { kind: 'user' } } },
    turns: [],
    activeTurn: {
      id: 't',
      startedAt: time,
      message: {
        text: 'Go',
        origin: { kind: 'user' },
        model: { id: 'm' },
        attachments: [
          { type: 'resource', label: 'a', uri: 'file:///a', displayKind: 'symbol' },
          { type: 'embeddedResource', label: 'b', data: '', contentType: 'image/png' },
        ],
      },
      responseParts: [
        { kind: 'systemNotification', content: 'hello' },
        {
          kind: 'toolCall',
          toolCall: {
            ...{ status: 'auth-required', toolCallId: 'a', confirmed: 'setting', toolInput: { uri: 'x:/in' }, ...base },
            startedAt: time,
            auth: { reason: 'required', resource: { resource: 'https://x' } },
            contributor: { kind: 'mcp', customizationId: 's' },
            _meta: { [ASKED]: 'digest' },
            content: [
              { type: 'subagent', resource: sub, title: 'S' },
              { type: 'terminal', resource: 'ahp-terminal:1', title: 'T' },
            ],
          } as ToolCallState,
        },
        { kind: 'inputRequest', request: { id: 'answered' }, response: 'accept' },
      ],
    },
  };
  const subagent: ChatState = {
    ...{ resource: sub, title: 'old', status: 1, modifiedAt: time, turns: [], interactivity: 'read-only' },
    origin: { kind: 'tool', chat: chat.resource, toolCallId: 'c' },
  };
  const entry = ({ resource, title, status, modifiedAt }: ChatState) => ({ resource, title, status, modifiedAt });
  const session: ChannelSession = {
    ...{ provider: 'copilot', title: 'T', status: 1 + 32 + 64, lifecycle: 'failed', defaultChat: chat.resource },
    chats: [entry(chat), { ...entry(subagent), title: 'new' }, { ...entry(chat), resource: 'ahp-chat:/theirs' }],
    activeClients: [
      { clientId: 'today', tools: [] },
      { clientId: 'april', tools: [] },
    ],
    workingDirectories: ['file:///w'],
    customizations: [
      { type: 'mcpServer', id: 's', uri: 's', name: 'S', state: { kind: 'ready' } },
      { type: 'plugin', id: 'p', uri: 'x:/p', name: 'P', enablement: [{ kind: 'global', enabled: false }] },
    ],
  };
  const facts = { uri, workingDirectory: '/w', createdAt };
  const told = v1SessionState(facts, session, chat, [], (clientId) => clientId === 'april');

  it('have no word for a sign-in, for notes of the system, for embedded files and for inputs that lie elsewhere', () => {
    assert.deepEqual(told.activeTurn, {
      id: 't',
      userMessage: { text: 'Go', attachments: [{ type: 'file', uri: 'file:///a', displayName: 'a' }] },
      responseParts: [
        {
          kind: 'toolCall',
          toolCall: {
            ...{ status: 'running', toolCallId: 'a', confirmed: 'setting', ...base },
            content: [
              { type: 'subagent', resource: 'copilot:/1/subagent/c', title: 'S' },
              { type: 'terminal', resource: 'agenthost-terminal:/ahp-terminal:1', title: 'T' },
            ],
          },
        },
      ],
    });
    assert.deepEqual([told.summary.status, told.inputRequests], [8 + 32 + 64, undefined]);
  });

  it('show one client of AHP v1, and customizations that are plugins', () => {
    assert.deepEqual(told.activeClient, { clientId: 'april', tools: [] });
    assert.deepEqual(told.customizations, [{ customization: { uri: 'x:/p', displayName: 'P' }, enabled: false }]);
    assert.equal(told.lifecycle, 'creationFailed');
  });

  it('list a session with its subagents, and no chats that clients have named', () => {
    const modifiedAt = Date.parse(time);
    const common = { provider: 'copilot', createdAt, modifiedAt, workingDirectory: 'file:///w' };
    assert.deepEqual(v1Summaries(listedSession(facts, session, { defaultChat: chat })), [
      { resource: uri, title: 'T', status: 24 + 32 + 64, ...common },
      { resource: `${uri}/subagent/c`, title: 'new', status: 1, ...common },
    ]);
    assert.deepEqual(
      v1SessionState(facts, session, subagent, [], () => true),
      {
        summary: { resource: `${uri}/subagent/c`, title: 'new', status: 1, ...common },
        lifecycle: 'ready',
        turns: [],
      },
    );
  });

  it('make an appended text anew and nothing else', () => {
    const part = { kind: 'markdown' as const, id: 'm', content: 'a' };
    const turn = chat.activeTurn as NonNullable<ChatState['activeTurn']>;
    const withText = (content: string) =>
      v1SessionState(
        facts,
        session,
        { ...chat, activeTurn: { ...turn, responseParts: [...turn.responseParts, { ...part, content }] } },
        [],
        () => true,
      );
    const [one, other] = [withText('a'), withText('ab')];
    assert.equal(one.activeTurn?.responseParts[0], other.activeTurn?.responseParts[0]);
    assert.equal(one.activeTurn?.userMessage, other.activeTurn?.userMessage);
    assert.equal(one.turns, other.turns);
  });

  it('have the error of a turn that failed, and not of one that went on after it', () => {
    const message = { text: 'Go', origin: { kind: 'user' as const } };
    const responseParts = [{ kind: 'error' as const, error: { errorType: 'x', message: 'No' }, resumable: true }];
    const [failed, complete] = (['error', 'complete'] as const).map((state) => v1Turns([{ id: 't', message, responseParts, state }])[0]);
    assert.deepEqual([failed?.error, complete?.error], [{ errorType: 'x', message: 'No' }, undefined]);
  });
});
