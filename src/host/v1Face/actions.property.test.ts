/** Whoever reduces what is told has the state that is told to a fresh client, after every action and in batches. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepFreeze } from '../../../test/support/deepFreeze.ts';
import { bool, maybe, text, values } from '../../../test/support/reducerLaws.ts';
import type { ActionType, StateAction } from '../../ahp/channels/actions.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { ASKED } from '../../ahp/common/callQuestion.ts';
import { isCallPart } from '../../ahp/common/reducers/turns.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { resourceOf, type StateAction as V1Action } from '../../ahp/v1/actions.ts';
import type { ClientActionType } from '../../ahp/v1/clientActions.ts';
import type { ResourceState } from '../../ahp/v1/commands.ts';
import { sameState } from '../../ahp/dialects/v1/sameState.ts';
import { reduceAll, reducerFor } from '../../ahp/v1/reducers/reduceAll.ts';
import { changesUri, chatUri, subagentChatUri } from '../state/chatUris.ts';
import { StateStore } from '../state/stateStore.ts';
import { actionsIn, type ClientAction, type Reading } from './words/actionsIn.ts';
import { placeOf } from './words/names.ts';
import { v1Refusal } from './v1Refusals.ts';
import { editsIn, v1Customizations, v1Root, v1SessionState, v1TerminalState } from './words/states.ts';
import { Translation } from './words/translation.ts';
import { runs } from '../../../test/support/runs.ts';

const NOW = 9999;
const session = 'copilot:/1';
const first = chatUri(session);
const sub = subagentChatUri(first, 'c');
const theirs = 'ahp-chat:/theirs';
const changes = changesUri(session);
const terminal = 'ahp-terminal:1';
const isV1Client = (clientId: string): boolean => clientId.startsWith('april');

const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 });
const oneOf = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const is = <T>(value: T): fc.Arbitrary<T> => fc.constant(value);

const id = oneOf('a', 'b', '__proto__');
const turnId = oneOf('t1', 't1', 't1', 't2');
const clientId = oneOf('april1', 'april2', 'today');
const attachment = fc.oneof(
  fc.record({ type: is('resource'), label: text, uri: id, displayKind: maybe(oneOf('directory', 'symbol')) }),
  fc.record({ type: is('simple'), label: text }),
);
const model = fc.record({ id, config: maybe(fc.dictionary(id, fc.constantFrom<string | number>('x', 1), { maxKeys: 2 })) });
const message = fc.record({
  ...{ text, origin: fc.record({ kind: oneOf('user', 'tool') }), attachments: maybe(few(attachment)), model: maybe(model) },
});
const option = fc.record({ id, label: text, kind: oneOf('approve', 'deny') });
const toolContent = few(
  fc.oneof(
    fc.record({ type: is('text'), text }),
    fc.record({ type: is('subagent'), resource: is(sub), title: text }),
    fc.record({ type: is('terminal'), resource: is(terminal), title: text }),
  ),
);
const v1ToolContent = few(
  fc.oneof(
    fc.record({ type: is('text'), text }),
    fc.record({ type: is('subagent'), resource: is(`${session}/subagent/c`), title: text }),
    fc.record({ type: is('terminal'), resource: is(`agenthost-terminal:/${terminal}`), title: text }),
  ),
);
const contributor = fc.oneof(fc.record({ kind: is('client'), clientId }), fc.record({ kind: is('mcp'), customizationId: id }));
const error = fc.record({ errorType: text, message: text });
const answer = fc.record({ state: oneOf('draft', 'submitted'), value: fc.record({ kind: is('text'), value: text }) });
const answers = fc.dictionary(id, answer, { maxKeys: 2 });
const part = fc.oneof(
  fc.record({ kind: oneOf('markdown', 'reasoning', 'hologram'), id, content: text }),
  fc.record({ kind: is('systemNotification'), content: text }),
);
const enablement = few(fc.record({ kind: oneOf('global', 'session', 'later'), enabled: bool }));
const load = fc.oneof(fc.record({ kind: oneOf('loading', 'loaded') }), fc.record({ kind: is('error'), message: text }));
const serverState = fc.record({ kind: oneOf('starting', 'ready', 'stopped') });
const customization = fc.oneof(
  fc.record({ type: is('mcpServer'), id, uri: id, name: text, state: serverState }),
  fc.record({ type: oneOf('plugin', 'plugin', 'directory'), id, uri: id, name: text, load: maybe(load), enablement: maybe(enablement) }),
);
const tools = few(fc.record({ name: id }));
const edit = fc.record({ after: fc.record({ uri: id, content: fc.record({ uri: id }) }) });
const file = fc.record({ id, edit, reviewed: maybe(bool) });
const claim = fc.oneof(
  fc.record({ kind: is('client'), clientId }),
  fc.record({ kind: is('session'), session: is(session), chat: fc.constantFrom(first, sub), turnId: maybe(turnId) }),
);
const lifecycle = fc.oneof(fc.record({ status: is('running') }), fc.record({ status: is('exited'), exitCode: maybe(fc.nat(2)) }));
const chat = fc.constantFrom(first, sub, theirs);

const inTurn = { turnId };
const inCall = { turnId, toolCallId: id };
const ended = { turnId, duration: fc.nat(5) };

type Fields = Record<string, fc.Arbitrary<unknown>>;
const fieldsOf: { readonly [T in ActionType]?: Fields } = {
  'root/agentsChanged': {
    agents: few(
      fc.record({
        ...{ provider: id, displayName: text, description: text, capabilities: is({}), customizations: maybe(few(customization)) },
        models: few(fc.record({ id, provider: id, name: text, maxOutputTokens: maybe(fc.nat(2)) })),
      }),
    ),
  },
  'root/activeSessionsChanged': { activeSessions: fc.nat(2) },
  'root/terminalsChanged': { terminals: few(fc.record({ resource: is(terminal), title: text, claim, lifecycle })) },
  'root/configChanged': { config: values, replace: maybe(bool) },

  'terminal/data': { data: text },
  'terminal/input': { data: text },
  'terminal/resized': { cols: fc.nat(2), rows: fc.nat(2) },
  'terminal/claimed': { claim },
  'terminal/titleChanged': { title: text },
  'terminal/cwdChanged': { cwd: text },
  'terminal/exited': { exitCode: maybe(fc.nat(2)) },
  'terminal/cleared': {},
  'terminal/commandDetectionAvailable': {},
  'terminal/commandExecuted': { commandId: id, commandLine: text, timestamp: fc.nat(2) },
  'terminal/commandFinished': { commandId: id, exitCode: maybe(fc.nat(2)) },

  'session/creationFailed': { error },
  'session/chatAdded': { summary: fc.record({ resource: is(theirs), title: text, status: is(8), modifiedAt: text }) },
  'session/chatUpdated': {
    chat,
    changes: fc.record({ title: maybe(text).map((title) => title ?? 'same'), status: fc.constantFrom(1, 8) }),
  },
  'session/chatRemoved': { chat: is(theirs) },
  'session/chatsReordered': { chats: is([sub, first]) },
  'session/titleChanged': { title: text },
  'session/isReadChanged': { isRead: bool },
  'session/isArchivedChanged': { isArchived: bool },
  'session/activityChanged': { activity: maybe(text) },
  'session/changesetsChanged': { changesets: is([]) },
  'session/serverToolsChanged': { tools },
  'session/activeClientSet': { activeClient: fc.record({ clientId, tools }) },
  'session/activeClientRemoved': { clientId },
  'session/inputNeededSet': { request: fc.record({ kind: is('chatInput'), id, chat }) },
  'session/inputNeededRemoved': { id },
  'session/customizationsChanged': { customizations: few(customization) },
  'session/customizationToggled': { id, enablement },
  'session/customizationUpdated': { customization },
  'session/customizationRemoved': { id },
  'session/mcpServerStateChanged': { id, state: serverState },
  'session/mcpServerStartRequested': { id },
  'session/mcpServerStopRequested': { id },
  'session/configChanged': { config: values, replace: maybe(bool) },
  'session/metaChanged': { _meta: maybe(values) },

  'chat/turnStarted': { ...inTurn, startedAt: is('2027-01-01T00:00:00.000Z'), message, queuedMessageId: maybe(id) },
  'chat/delta': { ...inTurn, partId: id, content: text },
  'chat/reasoning': { ...inTurn, partId: id, content: text },
  'chat/responsePart': { ...inTurn, part },
  'chat/usage': { ...inTurn, usage: fc.record({ inputTokens: fc.nat(2) }) },
  'chat/turnComplete': ended,
  'chat/turnCancelled': ended,
  'chat/error': { ...ended, part: fc.record({ kind: is('error'), error, resumable: maybe(bool) }) },
  'chat/turnResume': inTurn,
  'chat/truncated': { turnId: maybe(turnId) },
  'chat/toolCallStart': {
    ...inCall,
    _meta: maybe(is({ shown: 1 })),
    toolName: text,
    displayName: text,
    intention: maybe(text),
    contributor: maybe(contributor),
  },
  'chat/toolCallDelta': { ...inCall, content: text, invocationMessage: maybe(is('doing')) },
  'chat/toolCallReady': {
    ...{ ...inCall, invocationMessage: is('doing'), contributor: maybe(contributor), intention: maybe(text) },
    toolInput: maybe(fc.oneof(text, fc.record({ uri: text }))),
    confirmed: maybe(oneOf('not-needed', 'setting')),
    startedAt: maybe(is('2027-01-01T00:00:00.000Z')),
    riskAssessment: maybe(fc.record({ status: is('loading') })),
    options: maybe(few(option)),
    editable: maybe(bool),
  },
  'chat/toolCallConfirmed': {
    ...{ ...inCall, approved: bool, confirmed: text, reason: oneOf('denied', 'skipped'), userSuggestion: maybe(message) },
    ...{ selectedOptionId: maybe(id), editedToolInput: maybe(text), startedAt: maybe(is('2027-01-01T00:00:00.000Z')) },
  },
  'chat/toolCallComplete': {
    ...{ ...inCall, requiresResultConfirmation: maybe(bool), duration: maybe(fc.nat(9)) },
    result: fc.record({ success: bool, pastTenseMessage: text, content: maybe(toolContent) }),
  },
  'chat/toolCallResultConfirmed': { ...inCall, approved: bool },
  'chat/toolCallContentChanged': { ...inCall, content: toolContent },
  'chat/toolCallAuthRequired': { ...inCall, auth: fc.record({ reason: is('required') }) },
  'chat/toolCallAuthResolved': inCall,
  'chat/inputRequested': { request: fc.record({ id, message: text, answers: maybe(answers) }) },
  'chat/inputAnswerChanged': { requestId: id, questionId: id, answer: maybe(answer) },
  'chat/inputCompleted': { requestId: id, response: oneOf('accept', 'decline'), answers: maybe(answers) },
  'chat/pendingMessageSet': { kind: oneOf('steering', 'queued'), id, message },
  'chat/pendingMessageRemoved': { kind: oneOf('steering', 'queued'), id },
  'chat/queuedMessagesReordered': { order: fc.array(id, { maxLength: 4 }) },
  'chat/draftChanged': { draft: fc.record({ text, origin: is({ kind: 'user' }), model }) },
  'chat/activityChanged': { activity: maybe(text) },
  'chat/isReadChanged': { isRead: bool },
  'chat/isArchivedChanged': { isArchived: bool },
  'chat/movableChanged': { movable: bool },
  'chat/backgroundWorkSet': { work: fc.record({ id, label: text, startedAt: text, kind: is('shell') }) },
  'chat/changesetsChanged': { changesets: is([]) },

  'changeset/statusChanged': { status: oneOf('computing', 'ready') },
  'changeset/fileSet': { file },
  'changeset/fileRemoved': { fileId: id },
  'changeset/filesReviewChanged': { files: few(id), reviewed: bool },
  'changeset/contentChanged': { files: few(file) },
  'changeset/cleared': {},
};
const often: Partial<Record<ActionType, number>> = {
  ...{ 'chat/turnStarted': 4, 'chat/toolCallStart': 6, 'chat/toolCallReady': 6, 'chat/responsePart': 3, 'chat/delta': 3 },
  ...{ 'chat/toolCallConfirmed': 4, 'chat/toolCallComplete': 3, 'chat/toolCallAuthRequired': 3, 'chat/inputRequested': 4 },
};

// ---- Clients of AHP v1

const userMessage = fc.record({
  text,
  attachments: maybe(few(fc.record({ type: oneOf('file', 'directory'), uri: id, displayName: maybe(text) }))),
});
const call = { ...inCall, _meta: maybe(is({ [ASKED]: 'digest' })) };
const clientFieldsOf: { readonly [T in ClientActionType]?: Fields } = {
  'session/turnStarted': { ...inTurn, userMessage, queuedMessageId: maybe(id) },
  'session/turnCancelled': inTurn,
  'session/titleChanged': { title: text },
  'session/modelChanged': { model: fc.record({ id, config: maybe(fc.dictionary(id, text, { maxKeys: 2 })) }) },
  'session/activeClientChanged': { activeClient: fc.option(fc.record({ clientId: is('april1'), tools })) },
  'session/activeClientToolsChanged': { tools },
  'session/pendingMessageSet': { kind: oneOf('steering', 'queued'), id, userMessage },
  'session/pendingMessageRemoved': { kind: oneOf('steering', 'queued'), id },
  'session/queuedMessagesReordered': { order: fc.array(id, { maxLength: 4 }) },
  'session/customizationToggled': { uri: id, enabled: bool },
  'session/truncated': { turnId: maybe(turnId) },
  'session/isReadChanged': { isRead: bool },
  'session/isArchivedChanged': { isArchived: bool },
  'session/configChanged': { config: values, replace: maybe(bool) },
  'session/toolCallConfirmed': {
    ...{ ...call, approved: bool, confirmed: text, reason: oneOf('denied', 'skipped'), userSuggestion: maybe(userMessage) },
    ...{ selectedOptionId: maybe(id) },
  },
  'session/toolCallComplete': {
    ...{ ...call, requiresResultConfirmation: maybe(bool) },
    result: fc.record({ success: bool, pastTenseMessage: text, content: maybe(v1ToolContent) }),
  },
  'session/toolCallResultConfirmed': { ...call, approved: bool },
  'session/toolCallContentChanged': { ...call, content: v1ToolContent },
  'session/inputAnswerChanged': { requestId: id, questionId: id, answer: maybe(answer) },
  'session/inputCompleted': { requestId: id, response: oneOf('accept', 'decline'), answers: maybe(answers) },
  'terminal/resized': { cols: fc.nat(2), rows: fc.nat(2) },
  'terminal/claimed': {
    claim: fc.record({ kind: is('session'), session: fc.constantFrom(session, `${session}/subagent/c`), turnId: maybe(turnId) }),
  },
  'terminal/titleChanged': { title: text },
  'terminal/cleared': {},
  'root/configChanged': { config: values, replace: maybe(bool) },
};
const clientAction: fc.Arbitrary<ClientAction> = fc.oneof(
  ...Object.entries(clientFieldsOf).map(([type, fields]) =>
    fc.record({
      ...{ type: is(type), ...fields },
      session: fc.constantFrom(session, session, `${session}/subagent/c`),
      terminal: is(`agenthost-terminal:/${terminal}`),
    }),
  ),
) as fc.Arbitrary<never>;

/** As the checks of the host have it, which look at the same states. */
function isAllowed(action: ClientAction, { chat: chatState, session: state }: Reading): boolean {
  const { turnId: turn, toolCallId } = action as { turnId?: string; toolCallId?: string };
  const turnNow = chatState?.activeTurn;
  const calls = turnNow?.id === turn ? (turnNow?.responseParts.filter(isCallPart) ?? []) : [];
  const status = calls.map(({ toolCall }) => toolCall).find((one) => one.toolCallId === toolCallId)?.status;
  switch (action.type) {
    case 'session/turnStarted':
    case 'session/modelChanged':
      return turnNow === undefined;
    case 'session/turnCancelled':
      return turnNow?.id === turn;
    case 'session/toolCallConfirmed':
      return status === 'pending-confirmation';
    case 'session/toolCallComplete':
      return status === 'pending-confirmation' || status === 'running';
    case 'session/toolCallContentChanged':
      return status === 'running';
    case 'session/toolCallResultConfirmed':
      return status === 'pending-result-confirmation';
    case 'session/customizationToggled':
      // One is named by its URI, and by its id: hosts give no two the same.
      return (
        state?.customizations?.filter((one) => 'uri' in one && one.uri === action.uri).length === 1 &&
        new Set(state.customizations.map((one) => one.id)).size === state.customizations.length &&
        v1Customizations(state.customizations).some(({ customization: { uri } }) => uri === action.uri)
      );
    default:
      return true;
  }
}

const places: Record<string, readonly URI[]> = {
  ...{ root: [ROOT_CHANNEL], terminal: [terminal], session: [session], chat: [first, first, sub], changeset: [changes] },
};

interface Sent {
  channel: URI;
  action: StateAction;
}
const sent: fc.Arbitrary<Sent> = fc.oneof(
  ...Object.entries(fieldsOf).map(([type, fields]) => ({
    weight: often[type as ActionType] ?? 1,
    arbitrary: fc.record({
      channel: fc.constantFrom(...(places[type.slice(0, type.indexOf('/'))] ?? [])),
      action: fc.record({ type: is(type), ...fields }) as unknown as fc.Arbitrary<StateAction>,
    }),
  })),
);
/** A session becomes ready before anybody has read it. */
const sequence = fc
  .tuple(bool, fc.array(sent, { maxLength: 60, size: 'max' }))
  .map(([isReady, actions]): Sent[] => [
    ...(isReady ? [{ channel: session, action: { type: 'session/ready' } as StateAction }] : []),
    ...actions,
  ]);

function summary(resource: URI) {
  return { resource, title: 'T', status: 1, modifiedAt: '2027-01-01T00:00:00.000Z' };
}

function newStore(): StateStore {
  const store = new StateStore({ now: () => NOW });
  store.add({
    channel: terminal,
    kind: 'terminal',
    state: { title: '', content: [], claim: { kind: 'client', clientId: 'a' }, lifecycle: { status: 'running' } },
  });
  const config = { schema: { type: 'object' as const, properties: {} }, values: {} };
  const chats = [summary(first), summary(sub)];
  const state = {
    provider: 'copilot',
    title: '',
    status: 1,
    lifecycle: 'creating' as const,
    activeClients: [],
    chats,
    defaultChat: first,
    config,
  };
  store.add({ channel: session, kind: 'session', state }, session);
  for (const channel of [first, sub]) store.add({ channel, kind: 'chat', state: { ...summary(channel), turns: [] } }, session);
  store.add({ channel: changes, kind: 'changeset', state: { status: 'ready', files: [] } }, session);
  return store;
}

/** What a fresh client is told, by the names of AHP v1. */
function toldBy(store: StateStore): Map<URI, ResourceState> {
  const facts = { uri: session, createdAt: 1 };
  const state = store.session(session);
  const ofChat = (uri: URI, edits: ReturnType<typeof editsIn>) => {
    const chatState = store.chat(uri);
    assert(state && chatState);
    return v1SessionState(facts, state, chatState, edits, isV1Client);
  };
  const ofTerminal = store.terminal(terminal);
  assert(ofTerminal);
  return new Map<URI, ResourceState>([
    ['agenthost:/root', v1Root(store.root)],
    [`agenthost-terminal:/${terminal}`, v1TerminalState(ofTerminal)],
    [session, ofChat(first, editsIn(store.changeset(changes)))],
    [`${session}/subagent/c`, ofChat(sub, [])],
  ]);
}

/** What hosts do not do, or what AHP v1 cannot say. */
function isLeftOut({ action }: Sent, chatState: ChatState | undefined): boolean {
  const { type, turnId: turn, toolCallId } = action as { type: string; turnId?: string; toolCallId?: string };
  const calls = chatState?.activeTurn?.id === turn ? (chatState?.activeTurn?.responseParts.filter(isCallPart) ?? []) : [];
  const call = calls.map(({ toolCall }) => toolCall).find((one) => one.toolCallId === toolCallId);
  // One turn at a time.
  if (type === 'chat/turnStarted') return chatState?.activeTurn !== undefined;
  // Signing in is for a call.
  if (type === 'chat/toolCallAuthRequired' || type === 'chat/toolCallAuthResolved') return call === undefined;
  // Their ids are their own.
  if (type === 'chat/toolCallStart') return call !== undefined;
  // AHP v1 cannot change what a call asks while it asks.
  if (action.type === 'chat/toolCallReady')
    return call?.status === 'pending-confirmation' && (action.confirmed === undefined || typeof action.toolInput === 'object');
  return false;
}

/** An empty list of diffs is none. */
function comparable(state: ResourceState): ResourceState {
  if (!('summary' in state) || state.summary.diffs?.length !== 0) return state;
  const { diffs: _none, ...rest } = state.summary;
  return { ...state, summary: rest };
}

function assertSame(one: ResourceState | undefined, other: ResourceState | undefined, why: string): void {
  assert(one && other);
  if (!sameState(comparable(one), comparable(other)))
    assert.deepEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)), why);
}

describe('what is told of the store to clients of AHP v1', () => {
  it('brings them where a fresh client is, after every action and in batches', () => {
    fc.assert(
      fc.property(sequence, (actions) => {
        deepFreeze(actions);
        const store = newStore();
        const translation = new Translation(store, isV1Client);
        const initial = toldBy(store);
        const states = new Map(initial);
        const told = new Map<URI, V1Action[]>();
        store.onDidDispatch((dispatched) => {
          translation.follow(dispatched);
          for (const action of translation.translate(dispatched)) {
            const resource = resourceOf(action);
            if (resource === undefined) continue;
            const state = states.get(resource);
            assert(state, `${resource} is not known`);
            states.set(resource, reducerFor(resource)(state, action, NOW));
            told.set(resource, [...(told.get(resource) ?? []), action]);
          }
        });
        for (const one of actions) {
          if (isLeftOut(one, store.chat(one.channel))) continue;
          store.dispatch(one.channel, one.action);
          for (const [resource, state] of toldBy(store))
            assertSame(states.get(resource), state, `${resource} after ${JSON.stringify(one)}`);
        }
        for (const [resource, state] of toldBy(store)) {
          const reduced = reduceAll(reducerFor(resource), initial.get(resource) as ResourceState, told.get(resource) ?? [], NOW);
          assertSame(reduced, state, `${resource} in one batch`);
        }
      }),
      { numRuns: runs(250) },
    );
  });

  it('is what a client of AHP v1 has done, in its own words', () => {
    const either = fc.oneof({ weight: 2, arbitrary: sent }, { weight: 1, arbitrary: clientAction });
    fc.assert(
      fc.property(fc.array(either, { maxLength: 60, size: 'max' }), (actions) => {
        deepFreeze(actions);
        const store = newStore();
        const translation = new Translation(store, isV1Client);
        const states = toldBy(store);
        let words: { action: ClientAction; left: number } | undefined;
        const tell = (action: V1Action) => {
          const resource = resourceOf(action) ?? '';
          const state = states.get(resource);
          if (state) states.set(resource, reducerFor(resource)(state, action, NOW));
        };
        store.onDidDispatch((dispatched) => {
          translation.follow(dispatched);
          const translated = translation.translate(dispatched);
          if (words) words.left--;
          for (const action of words?.left === 0 ? [words.action] : translated) tell(action);
        });
        for (const one of actions) {
          if ('channel' in one) {
            words = undefined;
            if (!isLeftOut(one, store.chat(one.channel))) store.dispatch(one.channel, one.action);
          } else {
            const place = placeOf(resourceOf(one) ?? '');
            const chatState = place.kind === 'session' ? store.chat(place.channel) : undefined;
            const reading: Reading = { place, session: store.session(session), chat: chatState, clientId: 'april1', now: NOW, isV1Client };
            if (v1Refusal(one, reading) !== undefined || !isAllowed(one, reading)) continue;
            const steps = actionsIn(one, reading);
            words = { action: one, left: steps.length };
            if (steps.length === 0) tell(one);
            for (const { channel, action } of steps) store.dispatch(channel, action);
          }
          for (const [resource, state] of toldBy(store))
            assertSame(states.get(resource), state, `${resource} after ${JSON.stringify(one)}`);
        }
      }),
      { numRuns: runs(250) },
    );
  });
});
