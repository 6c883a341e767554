/** Hosts may send anything. Whatever a state holds, no view model throws, and every label is a text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RootState } from '../ahp/v1/root.ts';
import type { SessionState, SessionSummary } from '../ahp/v1/session.ts';
import type { TerminalState } from '../ahp/v1/terminal.ts';
import type { ActiveTurn, ChatState } from '../ahp/channels/chat/state.ts';
import type { RootState as ModelRoot } from '../ahp/channels/root.ts';
import type { SessionState as ModelSession } from '../ahp/channels/session/state.ts';
import type { SessionSummary as ModelSummary } from '../ahp/channels/shapes/summaries.ts';
import type { TerminalState as ModelTerminal } from '../ahp/channels/terminal.ts';
import { v1Dialect } from '../ahp/dialects/v1/v1Dialect.ts';
import { upgradedChat, upgradedRoot, upgradedSession, upgradedSummary, upgradedTerminal } from '../ahp/v1/upgrade.ts';
import { chatState, said } from '../../test/fakes/models.ts';
import { thorough } from '../../test/support/thorough.ts';
import { answerAction } from './attention/answerAction.ts';
import { attentionItems } from './attention/attentionItems.ts';
import { listedItem, toListedItem } from './attention/listedItem.ts';
import { modelProblem } from './hosts/agentModels.ts';
import { chatTabs, shownChat, subagentsOf } from './session/chats.ts';
import { composerState, moveQueued, nextModel, send, sentMessages, stopTurn } from './session/composer/composer.ts';
import { fileEditView } from './session/toolCall/fileEditView.ts';
import { headerView, modelOptionPickers, modelPicker, sessionConfigPickers } from './session/frame/header.ts';
import { ObservedTimes } from './session/toolCall/observedTimes.ts';
import { initialFields, submission } from './session/waiting/questionForm.ts';
import { terminalText } from './session/toolCall/terminalText.ts';
import { toolCallView } from './session/toolCall/toolCallView.ts';
import { searchParts } from './session/find/searchText.ts';
import { todoList } from './session/todos/todoList.ts';
import { inRuns, runLabel } from './session/toolCall/readRuns.ts';
import { turnViews } from './session/transcript/transcript.ts';
import { modelNameOf, turnFacts } from './session/transcript/turnFacts.ts';
import { turnRemedies } from './session/transcript/turnRemedies.ts';
import { answersText } from './session/waiting/answered.ts';
import { choicesFor, confirm, looseQuestions, waitingOf } from './session/waiting/waiting.ts';
import { NO_FILTER } from './sessionList/sessionFilter.ts';
import { sessionTree, type HostInput } from './sessionList/sessionTree.ts';
import { wellFormedSummary } from '../ahp/wellFormed/summary.ts';
import { wellFormed } from '../ahp/wellFormed/wellFormed.ts';
import { runs } from '../../test/support/runs.ts';

const edit = {
  before: { uri: 'file:///w/a.ts', content: { uri: 'x:1' } },
  after: { uri: 'file:///w/b.ts', content: { uri: 'x:2' } },
  diff: { added: 1, removed: 2 },
};
const summary: SessionSummary = {
  resource: 'copilot:/1',
  provider: 'copilot',
  title: 'Title',
  status: 1,
  activity: 'Doing',
  createdAt: 0,
  modifiedAt: 0,
  workingDirectory: 'file:///w',
  project: { uri: 'file:///w', displayName: 'w' },
  model: { id: 'a', config: { effort: 'low' } },
  diffs: [edit],
};
const call = {
  toolCallId: 'c',
  toolName: 'bash',
  displayName: 'Bash',
  invocationMessage: { markdown: 'Runs `x`' },
  toolInput: '{"command":"x"}',
};
const userMessage = { text: 'Go', attachments: [{ type: 'file' as const, uri: 'file:///w/a.ts' }] };
const option = { id: 'o', label: 'Option' };
const session: SessionState = {
  summary,
  lifecycle: 'ready',
  _meta: { 'tapline.notSaved': 'no space' },
  turns: [
    {
      id: 't0',
      userMessage,
      state: 'error',
      error: { errorType: 'x', message: 'Failed' },
      usage: { inputTokens: 1, outputTokens: 2, model: 'a' },
      responseParts: [
        { kind: 'markdown', id: 'm', content: 'Text' },
        { kind: 'reasoning', id: 'r', content: 'Why' },
        { kind: 'contentRef', uri: 'x:3', contentType: 'text/plain' },
        {
          kind: 'toolCall',
          toolCall: {
            ...call,
            status: 'completed',
            confirmed: 'not-needed',
            success: false,
            pastTenseMessage: 'Ran',
            error: { message: 'No', code: '1' },
            structuredContent: { a: 1 },
            content: [
              { type: 'text', text: 'Exit code: 1' },
              { type: 'fileEdit', ...edit },
              { type: 'terminal', resource: 'agenthost-terminal:/1', title: 'T' },
            ],
          },
        },
        { kind: 'toolCall', toolCall: { ...call, status: 'cancelled', reason: 'denied', reasonMessage: { markdown: 'Because' } } },
      ],
    },
  ],
  activeTurn: {
    id: 't1',
    userMessage,
    responseParts: [
      {
        kind: 'toolCall',
        toolCall: {
          ...call,
          status: 'pending-confirmation',
          options: [{ id: 'y', label: 'Yes', kind: 'approve', group: 1 }],
          edits: { items: [edit] },
        },
      },
      {
        kind: 'toolCall',
        toolCall: { ...call, status: 'pending-result-confirmation', confirmed: 'not-needed', success: true, pastTenseMessage: 'Ran' },
      },
    ],
  },
  steeringMessage: { id: 's', userMessage },
  queuedMessages: [{ id: 'q', userMessage }],
  inputRequests: [
    {
      id: 'i',
      message: 'Which?',
      questions: [
        { kind: 'text', id: 'a', message: 'Name?', required: true, defaultValue: 'x' },
        { kind: 'number', id: 'n', message: 'How many?', defaultValue: 1 },
        { kind: 'single-select', id: 'b', message: 'One?', options: [option] },
        { kind: 'multi-select', id: 'c', message: 'Some?', options: [option] },
      ],
      answers: { c: { state: 'draft', value: { kind: 'selected-many', value: ['o'], freeformValues: ['x'] } } },
    },
  ],
  config: {
    schema: {
      type: 'object',
      properties: { mode: { type: 'string', title: 'Mode', enum: ['a'], enumLabels: ['A'], sessionMutable: true } },
    },
    values: { mode: 'a' },
  },
};
const root: RootState = {
  agents: [
    {
      provider: 'copilot',
      displayName: 'Copilot',
      description: '',
      models: [
        {
          id: 'a',
          provider: 'copilot',
          name: 'A',
          maxContextWindow: 128_000,
          supportsVision: true,
          configSchema: { type: 'object', properties: { effort: { type: 'string', title: 'E', enum: ['low'] } } },
        },
      ],
    },
  ],
};
const terminal = {
  title: 'T',
  content: [
    { type: 'command', commandId: '1', output: 'x' },
    { type: 'unclassified', value: 'y' },
  ],
} as unknown as TerminalState;
const host = {
  id: 'h',
  label: 'Host',
  connection: { connected: true, failed: false, text: 'connected' },
  listed: true,
  topSession: v1Dialect.topSession,
};

interface World {
  session: SessionState;
  root: RootState;
  terminal: TerminalState;
  summaries: SessionSummary[];
}
const world: World = { session, root, terminal, summaries: [summary, { ...summary, resource: 'copilot:/2', project: undefined as never }] };

/** What views read. */
interface Model {
  session: ModelSession;
  chat: ChatState;
  root: ModelRoot;
  terminal: ModelTerminal;
  summaries: ModelSummary[];
}
const upgraded = (raw: World): Model => ({
  session: upgradedSession(raw.session),
  chat: upgradedChat(raw.session),
  root: upgradedRoot(raw.root),
  terminal: upgradedTerminal(raw.terminal),
  summaries: raw.summaries.map(upgradedSummary),
});

/** The same with what only AHP 1.0 has. */
function channelModel(): Model {
  const model = structuredClone(upgraded(world));
  const turn = model.chat.activeTurn!;
  const { chat } = model;
  chat.origin = { kind: 'fork', chat: 'ahp-chat://a/1', turnId: 't' };
  chat.activity = 'Doing';
  turn.startedAt = '2026-11-23T10:00:00.000Z';
  turn.message = {
    ...turn.message,
    model: { id: 'a' },
    attachments: [
      { type: 'simple', label: 'x' },
      { type: 'chat', label: 'c', resource: 'x:1' },
    ],
  };
  turn.responseParts.push(
    { kind: 'systemNotification', content: { markdown: 'Note' } },
    { kind: 'inputRequest', request: { id: 'done', message: 'Which?' }, response: 'accept' },
    {
      kind: 'toolCall',
      toolCall: {
        ...call,
        status: 'auth-required',
        confirmed: 'not-needed',
        intention: 'To look',
        contributor: { kind: 'mcp', customizationId: 'm' },
        auth: { reason: 'required', resource: { resource: 'https://a.example' } },
      },
    },
    {
      kind: 'toolCall',
      toolCall: { ...call, status: 'pending-confirmation', toolInput: { uri: 'x:9' }, contributor: { kind: 'client', clientId: 'c' } },
    },
  );
  model.session.chats = [
    { resource: 'ahp-chat://a/1', title: 'A', status: 1, modifiedAt: '' },
    {
      resource: 'ahp-chat://b/1',
      title: '',
      status: 24,
      modifiedAt: '',
      origin: { kind: 'tool', chat: 'ahp-chat://a/1', toolCallId: 'c' },
    },
  ];
  model.session.changesets = [{ label: 'All', uriTemplate: 'x:changes', changeKind: 'session' }];
  return model;
}

/** What the checks of the client let through (`ahp/client/connection/wireChecks`). */
const guaranteed = new Set([
  '',
  '/session',
  '/chat',
  '/chat/turns',
  '/root',
  '/terminal',
  '/summaries',
  '/session/summary',
  '/session/turns',
  '/root/agents',
  '/terminal/content',
  '/summaries/0',
  '/summaries/1',
  '/summaries/0/resource',
  '/summaries/1/resource',
  '/session/summary/resource',
]);

function pathsOf(value: unknown, path = ''): string[] {
  const below =
    typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, member]) => pathsOf(member, `${path}/${key}`)) : [];
  return guaranteed.has(path) ? below : [path, ...below];
}

function withValueAt(value: unknown, [key, ...rest]: string[], wrong: unknown): unknown {
  if (key === undefined) return wrong;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = withValueAt(copy[key], rest, wrong);
  return copy;
}

function look(raw: World): void {
  lookAt(upgraded(raw));
}

function lookAt(raw: Model): void {
  const session = wellFormed.session(raw.session);
  const chat = wellFormed.chat(raw.chat);
  const open = { session, chat };
  const root = wellFormed.root(raw.root);
  const terminal = wellFormed.terminal(raw.terminal);
  const header = headerView(open, root, 'Host');
  texts(header.title, header.workingDirectory ?? '', header.state.label, ...header.facts);
  for (const picker of [modelPicker(open, root), ...modelOptionPickers(open, root), ...sessionConfigPickers(session)]) {
    if (picker) texts(picker.title, ...picker.options.map(({ label }) => label));
  }
  for (const { uri, title, icon } of chatTabs(session, shownChat(session))) texts(uri, title, icon);
  composerState(open, undefined);
  nextModel(chat);
  stopTurn(chat, 1);
  modelProblem(session, nextModel(chat)?.id, root);
  turnRemedies(open, root);
  send(chat, said('x'), 'steer', 'id', '');
  moveQueued(chat, 'q', 1);
  for (const message of sentMessages(chat)) texts(message.text);
  const times = new ObservedTimes();
  times.observe(chat, 0, true);
  for (const turn of turnViews(chat)) {
    const modelName = modelNameOf(turn, root?.agents[0]);
    texts(turn.id, turn.message.text, modelName ?? '', turn.error?.message ?? '');
    texts(turnFacts(turn, { observedMs: times.turnDuration(turn.id), modelName, isOfTurn: true }) ?? '');
    for (const { key, text } of searchParts(turn)) texts(key, text);
    for (const group of inRuns(turn.rows, () => false)) if (group.kind === 'run') texts(runLabel(group.rows));
    for (const row of turn.rows) {
      if (row.kind === 'toolCall') lookAtCall(row.call);
      if (row.kind === 'question') texts(answersText(row.request, row.response ?? '').outcome, ...answersText(row.request, 'accept').lines);
    }
  }
  for (const { text } of todoList(chat)?.items ?? []) texts(text);
  for (const request of looseQuestions(session, 'copilot:/1', chat)) texts(request.id);
  for (const item of waitingOf(chat)) {
    if (item.kind === 'question') {
      texts(item.request.id);
      submission(item.request, initialFields(item.request));
    } else if (item.kind === 'call') {
      for (const choice of choicesFor(item.call)) {
        texts(choice.label);
        confirm(item.turnId, item.call, choice);
      }
    }
  }
  texts(terminalText(terminal).text);
  const input: HostInput = { ...host, sessions: raw.summaries.flatMap((one) => wellFormedSummary(one) ?? []) };
  const states = new Map([['copilot:/1', session]]);
  for (const item of attentionItems({ ...input, connection: { connected: true, failed: false, text: '' } }, states)) {
    texts(item.id, item.title, item.what);
    const listed = toListedItem(item, 1_000_000);
    assert.deepEqual(
      listedItem.parse(JSON.parse(JSON.stringify(listed))),
      JSON.parse(JSON.stringify(listed)),
      'it has the shape of its schema',
    );
    for (const decision of listed.decisions) assert.notEqual(answerAction(item, { decision }), 'impossible');
  }
  texts(...subagentsOf(chat));
  for (const { children } of sessionTree([input], { showArchived: true, filter: { ...NO_FILTER, text: 't' }, now: 0, hidden: new Set() })) {
    for (const child of children) {
      texts(child.label, child.id);
      if (child.kind === 'project') for (const { item } of child.children) texts(item.title, item.description, ...item.details);
    }
  }
}

function lookAtCall(toolCall: Parameters<typeof toolCallView>[0]): void {
  const view = toolCallView(toolCall);
  texts(view.id, view.error ?? '', ...view.facts, ...view.summary.map(({ text }) => text));
  for (const content of view.content) {
    if (content.type !== 'fileEdit') continue;
    const { name, folder, from } = fileEditView(content, 'file:///w');
    texts(name, folder, from ?? '');
  }
}

function texts(...values: unknown[]): void {
  for (const value of values) assert.equal(typeof value, 'string');
}

describe('the view models, of states of any shape', function () {
  this.timeout(30_000);
  const paths = pathsOf(world);
  const wrong = [null, undefined, 0, Number.NaN, 'text', '', true, [], [null], ['x'], {}, { kind: 7 }];

  it('keep what fits', () => {
    look(world);
    for (const { session, chat, root, terminal } of [upgraded(world), channelModel()]) {
      assert.equal(wellFormed.session(session), session);
      assert.equal(wellFormed.chat(chat), chat);
      assert.equal(wellFormed.root(root), root);
      assert.equal(wellFormed.terminal(terminal), terminal);
    }
    lookAt(channelModel());
  });

  const worlds: [string, unknown, readonly string[], (raw: never) => void][] = [
    ['AHP v1', world, paths, look],
    ['AHP 1.0', channelModel(), pathsOf(channelModel()), lookAt],
  ];
  for (const [dialect, whole, everywhere, see] of worlds)
    it(`never throw, whatever a member of ${dialect} holds`, () => {
      const failures = new Map<string, unknown>();
      for (const path of everywhere) {
        for (const value of wrong) {
          try {
            see(withValueAt(whole, path.split('/').slice(1), value) as never);
          } catch (error) {
            failures.set(`${path} = ${JSON.stringify(value)}`, error);
          }
        }
      }
      assert.deepEqual(
        [...failures].map(([where, error]) => `${where}: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`),
        [],
      );
    });

  it('never throw at a call whose status is of a later version', () => {
    const call = '/session/activeTurn/responseParts/0/toolCall';
    const later = withValueAt(world, `${call}/status`.split('/').slice(1), 'dreaming');
    for (const member of ['invocationMessage', 'pastTenseMessage', 'toolInput', 'content', 'structuredContent', 'error'])
      for (const value of [...wrong, { markdown: null }]) look(withValueAt(later, `${call}/${member}`.split('/').slice(1), value) as World);
  });

  it('never throw at a question that has the members of other kinds, or whose kind is of a later version', () => {
    const question = '/session/inputRequests/0/questions/0';
    for (const kind of ['text', 'number', 'boolean', 'single-select', 'multi-select', 'dreamed', null]) {
      const ofKind = withValueAt(world, `${question}/kind`.split('/').slice(1), kind);
      for (const member of ['title', 'message', 'required', 'min', 'max', 'format', 'options', 'allowFreeformInput', 'defaultValue'])
        for (const value of wrong) look(withValueAt(ofKind, `${question}/${member}`.split('/').slice(1), value) as World);
    }
  });

  it('never throw, with several things wrong at once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...wrong)), { minLength: 2, maxLength: 6 }), (changes) => {
        // Outer ones last, so that none goes into what another has removed.
        const sorted = [...changes].sort(([a], [b]) => b.length - a.length);
        look(sorted.reduce<unknown>((value, [path, bad]) => withValueAt(value, path.split('/').slice(1), bad), world) as World);
      }),
      { numRuns: runs(thorough(250, 1_000)) },
    );
  });
});

const withParts = (responseParts: unknown): ChatState =>
  chatState({ activeTurn: { id: 't', message: said('Go'), responseParts } as unknown as ActiveTurn });
const waitingPart = (fields: object) => ({
  kind: 'toolCall',
  toolCall: {
    status: 'pending-confirmation',
    toolCallId: 'c',
    toolName: 'bash',
    displayName: 'Bash',
    invocationMessage: 'Runs',
    ...fields,
  },
});

describe('the views of what is malformed', () => {
  it('shows a malformed part by its name, with everything that came', () => {
    const part = { kind: 'markdown', id: 'm', content: { not: 'text' } };
    const rows = turnViews(wellFormed.chat(withParts([part, 7]))).at(-1)?.rows ?? [];
    assert.deepEqual(
      rows.map((row) => row.kind === 'unknown' && row.label),
      ['Unknown part (markdown, malformed)', 'Unknown part (no kind, malformed)'],
    );
    assert.match((rows[0] as { json: string }).json, /"not": "text"/);
  });

  it('does not offer a call for approval whose input or edits cannot be shown', () => {
    const bad = [
      { toolInput: { command: 'rm' } },
      { toolInput: ['rm'] },
      { contributor: { kind: 'client' } },
      { edits: { items: [{ after: { uri: 7 } }] } },
      { edits: { items: 'all' } },
      { edits: [] },
    ];
    for (const fields of bad) assert.deepEqual(waitingOf(wellFormed.chat(withParts([waitingPart(fields)]))), [], JSON.stringify(fields));
    assert.equal(waitingOf(wellFormed.chat(withParts([waitingPart({ toolInput: null, edits: null })]))).length, 1);
  });
});
