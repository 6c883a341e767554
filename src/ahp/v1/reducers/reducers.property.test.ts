/** Laws that hold for all three reducers, on random actions that mostly refer to something in the state, mixed with garbage. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { actionTypes } from '../../../../test/support/actionTypes.ts';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import type { ActionType, StateAction } from '../actions.ts';
import { reduceAll, type Reducer } from './reduceAll.ts';
import { rootReducer } from './rootReducer.ts';
import { sessionReducer } from './sessionReducer.ts';
import { terminalReducer } from './terminalReducer.ts';

type AnyReducer = Reducer<object>;
type Fields = Record<string, fc.Arbitrary<unknown>>;

const NOW = 9999;
const RUNS = 400;

// Few ids, so that actions refer to each other. Some are names that an object inherits.
const id = fc.constantFrom('a', 'b', '__proto__', 'constructor');
const turnId = fc.constantFrom('t1', 't1', 't1', 't2');
const text = fc.constantFrom('', 'x', 'yz');
const bool = fc.boolean();
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const garbage = fc.constantFrom<unknown>(
  ...[null, undefined, 0, -1, '', 'x', true, [], [null], [[]], {}],
  ...(['{"__proto__":{"id":"a"}}', '{"toString":1,"valueOf":1}', '[{"id":"a"},"x",{"id":null}]'].map((json) =>
    JSON.parse(json),
  ) as object[]),
);
const userMessage = fc.record({ text });
const values = fc.oneof(
  fc.dictionary(id, fc.constantFrom(1, 2), { maxKeys: 2 }),
  fc.constantFrom('{"__proto__":1}', '{"a":{"x":[1]}}').map((json) => JSON.parse(json) as object),
);
const option = fc.record({ id, label: text, kind: fc.constantFrom('approve', 'deny', 'later') });
const toolContent = fc.array(fc.record({ type: fc.constantFrom('text', 'hologram'), text }), { maxLength: 2 });
const toolCall = fc.record({
  status: fc.constantFrom('streaming', 'pending-confirmation', 'running', 'pending-result-confirmation', 'completed', 'paused'),
  toolCallId: id,
  toolName: text,
  displayName: text,
  invocationMessage: text,
});
const part = fc.oneof(
  fc.record({ kind: fc.constantFrom('markdown', 'reasoning', 'hologram'), id, content: text }),
  fc.record({ kind: fc.constant('toolCall'), toolCall }),
);
const answer = fc.record({
  state: fc.constantFrom('draft', 'submitted', 'later'),
  value: fc.record({ kind: fc.constant('text'), value: text }),
});
const tools = fc.array(fc.record({ name: id }), { maxLength: 2 });
const customization = fc.record({ customization: fc.record({ uri: id, displayName: text }), enabled: bool });
const inTurn = { turnId };
const inCall = { turnId, toolCallId: id };
const error = fc.record({ errorType: text, message: text });

const fieldsOf: Record<ActionType, Fields> = {
  'root/agentsChanged': { agents: fc.array(fc.record({ provider: id }), { maxLength: 2 }) },
  'root/activeSessionsChanged': { activeSessions: fc.nat(2) },
  'root/terminalsChanged': { terminals: fc.array(fc.record({ resource: id }), { maxLength: 2 }) },
  'root/configChanged': { config: values, replace: maybe(bool) },
  'session/ready': {},
  'session/creationFailed': { error },
  'session/turnStarted': { ...inTurn, userMessage, queuedMessageId: maybe(id) },
  'session/delta': { ...inTurn, partId: id, content: text },
  'session/reasoning': { ...inTurn, partId: id, content: text },
  'session/responsePart': { ...inTurn, part },
  'session/usage': { ...inTurn, usage: fc.record({ inputTokens: fc.nat(2) }) },
  'session/turnComplete': inTurn,
  'session/turnCancelled': inTurn,
  'session/error': { ...inTurn, error },
  'session/toolCallStart': { ...inCall, toolName: text, displayName: text },
  'session/toolCallDelta': { ...inCall, content: text, invocationMessage: maybe(text) },
  'session/toolCallReady': {
    ...inCall,
    invocationMessage: text,
    toolInput: maybe(text),
    confirmed: maybe(fc.constantFrom('not-needed', 'oracle')),
    options: maybe(fc.array(option, { maxLength: 3 })),
  },
  'session/toolCallConfirmed': {
    ...inCall,
    approved: bool,
    confirmed: text,
    reason: text,
    selectedOptionId: maybe(id),
    editedToolInput: maybe(text),
  },
  'session/toolCallComplete': {
    ...inCall,
    result: fc.record({ success: bool, pastTenseMessage: text, content: maybe(toolContent) }),
    requiresResultConfirmation: maybe(bool),
  },
  'session/toolCallResultConfirmed': { ...inCall, approved: bool },
  'session/toolCallContentChanged': { ...inCall, content: toolContent },
  'session/titleChanged': { title: text },
  'session/modelChanged': { model: fc.record({ id }) },
  'session/serverToolsChanged': { tools },
  'session/activeClientChanged': { activeClient: fc.option(fc.record({ clientId: id, tools })) },
  'session/activeClientToolsChanged': { tools },
  'session/pendingMessageSet': { kind: fc.constantFrom('steering', 'queued', 'later'), id, userMessage },
  'session/pendingMessageRemoved': { kind: fc.constantFrom('steering', 'queued', 'later'), id },
  'session/queuedMessagesReordered': { order: fc.array(id, { maxLength: 4 }) },
  'session/inputRequested': { request: fc.record({ id, message: text, answers: maybe(fc.dictionary(id, answer, { maxKeys: 2 })) }) },
  'session/inputAnswerChanged': { requestId: id, questionId: id, answer: maybe(answer) },
  'session/inputCompleted': { requestId: id, response: fc.constantFrom('accept', 'shrug') },
  'session/customizationsChanged': { customizations: fc.array(customization, { maxLength: 2 }) },
  'session/customizationToggled': { uri: id, enabled: bool },
  'session/truncated': { turnId: maybe(turnId) },
  'session/isReadChanged': { isRead: bool },
  'session/isArchivedChanged': { isArchived: bool },
  'session/activityChanged': { activity: maybe(text) },
  'session/diffsChanged': { diffs: fc.array(fc.record({ diff: fc.record({ added: fc.nat(2) }) }), { maxLength: 2 }) },
  'session/configChanged': { config: values, replace: maybe(bool) },
  'session/metaChanged': { _meta: maybe(values) },
  'terminal/data': { data: text },
  'terminal/input': { data: text },
  'terminal/resized': { cols: fc.nat(2), rows: fc.nat(2) },
  'terminal/claimed': { claim: fc.record({ kind: fc.constantFrom('client', 'later'), clientId: id }) },
  'terminal/titleChanged': { title: text },
  'terminal/cwdChanged': { cwd: text },
  'terminal/exited': { exitCode: maybe(fc.nat(2)) },
  'terminal/cleared': {},
  'terminal/commandDetectionAvailable': {},
  'terminal/commandExecuted': { commandId: id, commandLine: text, timestamp: fc.nat(2) },
  'terminal/commandFinished': { commandId: id, exitCode: maybe(fc.nat(2)), durationMs: maybe(fc.nat(2)) },
};

// What streams is most of the traffic, and what keeps a turn open must outweigh what ends it.
const WEIGHTS: Partial<Record<ActionType, number>> = {
  'session/turnStarted': 6,
  'session/delta': 8,
  'session/reasoning': 4,
  'session/responsePart': 6,
  'session/toolCallStart': 5,
  'session/toolCallDelta': 6,
  'session/toolCallReady': 6,
  'session/toolCallConfirmed': 4,
  'session/toolCallComplete': 4,
  'terminal/data': 8,
  'terminal/commandExecuted': 3,
};

function wellFormed(prefix: string): fc.Arbitrary<Record<string, unknown>> {
  const types = (Object.keys(fieldsOf) as ActionType[]).filter((type) => type.startsWith(prefix));
  return fc.oneof(
    ...types.map((type) => ({ weight: WEIGHTS[type] ?? 1, arbitrary: fc.record({ type: fc.constant(type), ...fieldsOf[type] }) })),
  );
}

/** Mostly well-formed. Sometimes a field is wrong, or the whole action. */
function anAction(prefix: string): fc.Arbitrary<StateAction> {
  const spoilt = fc.tuple(wellFormed(prefix), fc.nat(5), garbage).map(([action, field, wrong]) => {
    const keys = Object.keys(action);
    return { ...action, [keys[field % keys.length] as string]: wrong };
  });
  return fc.oneof(
    { weight: 8, arbitrary: wellFormed(prefix) },
    { weight: 2, arbitrary: spoilt },
    { weight: 1, arbitrary: garbage },
  ) as fc.Arbitrary<StateAction>;
}

/** A stream as hosts send it: appends to few parts, in runs. */
function aRun(prefix: string): fc.Arbitrary<StateAction[]> {
  const target = { turnId: fc.constant('t1'), partId: fc.constantFrom('a', 'a', 'b'), toolCallId: fc.constantFrom('a', 'a', 'b') };
  const invocationMessage = fc.option(text, { nil: undefined, freq: 3 });
  const streams = ['session/delta', 'session/reasoning', 'session/toolCallDelta', 'terminal/data'].filter((type) =>
    type.startsWith(prefix),
  );
  if (streams.length === 0) return fc.constant([]);
  const append = (type: string): fc.Arbitrary<unknown> =>
    fc.record({
      type: fc.constant(type),
      ...target,
      content: text,
      data: text,
      ...(type === 'session/toolCallDelta' && { invocationMessage }),
    });
  return fc.constantFrom(...streams).chain((type) => fc.array(append(type), { minLength: 2, maxLength: 6 })) as fc.Arbitrary<StateAction[]>;
}

const emptySession = {
  summary: { resource: 'copilot:/1', provider: 'copilot', title: '', status: 1, createdAt: 1, modifiedAt: 1 },
  lifecycle: 'ready',
  turns: [],
};
const openSession = {
  ...emptySession,
  summary: { ...emptySession.summary, status: 8 + 32 + 2 ** 40 },
  activeTurn: {
    id: 't1',
    userMessage: { text: 'go' },
    responseParts: [
      { kind: 'markdown', id: 'a', content: '' },
      { kind: 'reasoning', id: 'a', content: '' },
      { kind: 'toolCall', toolCall: { status: 'streaming', toolCallId: 'a', toolName: '', displayName: '' } },
    ],
  },
  config: { schema: { type: 'object', properties: {} }, values: { a: 1 } },
};
const resources: { name: string; prefix: string; reducer: AnyReducer; states: fc.Arbitrary<object>; fields: string[] }[] = [
  {
    name: 'root',
    prefix: 'root/',
    reducer: rootReducer as AnyReducer,
    states: fc.constantFrom({ agents: [] }, { agents: [], config: { schema: {}, values: {} } }),
    fields: ['agents', 'activeSessions', 'terminals', 'config'],
  },
  {
    name: 'session',
    prefix: 'session/',
    reducer: sessionReducer as AnyReducer,
    states: fc.constantFrom(emptySession, openSession),
    fields: [
      'summary',
      'lifecycle',
      'turns',
      'activeTurn',
      'steeringMessage',
      'queuedMessages',
      'inputRequests',
      'config',
      'customizations',
      'activeClient',
    ],
  },
  {
    name: 'terminal',
    prefix: 'terminal/',
    reducer: terminalReducer as AnyReducer,
    states: fc.constantFrom({ title: '', content: [], claim: { kind: 'client', clientId: 'a' } }),
    fields: ['title', 'content', 'claim', 'cols', 'exitCode'],
  },
];

function oneByOne(reducer: AnyReducer, state: object, actions: readonly StateAction[]): object {
  return actions.reduce((current, action) => reducer(current, action, NOW), state);
}

function objectsIn(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value === 'object' && value !== null && !found.has(value)) {
    found.add(value);
    for (const field of Object.values(value)) objectsIn(field, found);
  }
  return found;
}

/** Where `single` holds an object of the inputs, `batched` must hold the same one. (It may keep more, of what changes and changes back.) */
function assertKeeps(inputs: Set<unknown>, single: unknown, batched: unknown, path: string): void {
  if (typeof single !== 'object' || single === null || batched === single) return;
  assert(!inputs.has(single), `${path}: the same object in both`);
  for (const [key, field] of Object.entries(single))
    assertKeeps(inputs, field, (batched as Record<string, unknown>)[key], `${path}.${key}`);
}

for (const { name, prefix, reducer, states, fields } of resources) {
  const few = fc.oneof({ weight: 4, arbitrary: anAction(prefix).map((action) => [action]) }, { weight: 1, arbitrary: aRun(prefix) });
  const actions = fc.array(few, { maxLength: 40, size: 'max' }).map((groups) => groups.flat());

  describe(`laws of the ${name} reducer`, () => {
    it('a batch is its actions one by one, and keeps the objects that they keep; nothing given is written to', () => {
      fc.assert(
        fc.property(states, actions, actions, (initial, before, batch) => {
          const state = deepFreeze(oneByOne(reducer, deepFreeze(structuredClone(initial)), deepFreeze(before)));
          deepFreeze(batch);
          const single = oneByOne(reducer, state, batch);
          const batched = reduceAll(reducer, state, batch, NOW);
          assert.deepEqual(batched, single);
          assertKeeps(objectsIn([state, batch]), single, batched, 'state');
        }),
        { numRuns: RUNS },
      );
    });

    it('a replay from any point on is the replay of the whole', () => {
      fc.assert(
        fc.property(states, actions, fc.nat(40), (initial, all, at) => {
          const snapshot = JSON.parse(JSON.stringify(oneByOne(reducer, initial, all.slice(0, at)))) as object;
          const whole = JSON.parse(JSON.stringify(oneByOne(reducer, initial, all))) as object;
          assert.deepEqual(JSON.parse(JSON.stringify(reduceAll(reducer, snapshot, all.slice(at), NOW))), whole);
        }),
        { numRuns: RUNS },
      );
    });

    it('an equal state is the same state', () => {
      fc.assert(
        fc.property(states, actions, (initial, all) => {
          all.reduce((state, action) => {
            const next = reducer(state, action, NOW);
            let equal = true;
            try {
              assert.deepEqual(next, state);
            } catch (error) {
              assert(error instanceof assert.AssertionError);
              equal = false;
            }
            assert.equal(next === state, equal, JSON.stringify(action));
            return next;
          }, initial);
        }),
        { numRuns: RUNS / 4 },
      );
    });

    it('no state makes it throw', () => {
      const spoiltState = fc
        .tuple(states, fc.array(fc.tuple(fc.constantFrom(...fields), garbage), { maxLength: 4 }))
        .map(([state, wrong]) => ({ ...state, ...Object.fromEntries(wrong) }));
      fc.assert(
        fc.property(fc.oneof({ weight: 4, arbitrary: spoiltState }, { weight: 1, arbitrary: garbage }), actions, (state, all) => {
          deepFreeze(state);
          assert.deepEqual(reduceAll(reducer, state as object, all, NOW), oneByOne(reducer, state as object, all));
        }),
        { numRuns: RUNS },
      );
    });

    it('actions of other resources and of later versions change nothing', () => {
      fc.assert(
        fc.property(states, fc.string(), fc.constantFrom(...actionTypes), (state, unknownType, known) => {
          for (const type of [`${prefix}${unknownType}!`, unknownType, '__proto__', ...(known.startsWith(prefix) ? [] : [known])]) {
            assert.equal(reducer(state, { type, turnId: 't1', content: 'x' } as unknown as StateAction, NOW), state);
          }
        }),
      );
    });
  });
}
