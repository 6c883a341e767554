/**
 * What the reducers cost, as ratios within one run (a machine's speed cancels out), one JSON line each:
 * reducing frames in batches ÷ parsing the same frames, and ours ÷ a reference that is written with spreads alone.
 */
import type { ActionEnvelope, StateAction } from '../src/ahp/v1/actions.ts';
import { resourceOf } from '../src/ahp/v1/actions.ts';
import type { ResourceState, Snapshot } from '../src/ahp/v1/commands.ts';
import type { URI } from '../src/ahp/v1/common.ts';
import { reduceAll, type Reducer, reducerFor } from '../src/ahp/v1/reduceAll.ts';
import type { ActiveTurn, ResponsePart, SessionState } from '../src/ahp/v1/session.ts';
import { sessionReducer } from '../src/ahp/v1/sessionReducer.ts';
import { sharedDir } from '../test/support/shared.ts';
import { transcriptFrames, v1Transcripts } from '../test/support/transcript.ts';

const BATCH = 100;
const NOW = 9999;
const SESSION = 'copilot:/00000000-0000-4000-8000-000000000001';
const TURN = '00000000-0000-4000-8000-000000000002';

/** The actions of one resource, in order, and the frames that carried them. */
interface Trace {
  name: string;
  resource: URI;
  initial: ResourceState;
  frames: string[];
  actions: StateAction[];
}

/** The spread reference: what one would write first. It knows the appends only, which the synthetic traces consist of. */
const spreadReducer: Reducer<SessionState> = (state, action) => {
  const turn = state.activeTurn;
  if (action.type === '(unknown)' || !turn || !('turnId' in action) || turn.id !== action.turnId) return state;
  const parts = (change: (part: ResponsePart) => ResponsePart): SessionState => {
    const activeTurn: ActiveTurn = { ...turn, responseParts: turn.responseParts.map(change) };
    return { ...state, activeTurn };
  };
  switch (action.type) {
    case 'session/delta':
      return parts((part) =>
        part.kind === 'markdown' && part.id === action.partId ? { ...part, content: part.content + action.content } : part,
      );
    case 'session/reasoning':
      return parts((part) =>
        part.kind === 'reasoning' && part.id === action.partId ? { ...part, content: part.content + action.content } : part,
      );
    case 'session/toolCallDelta':
      return parts((part) =>
        part.kind === 'toolCall' && part.toolCall.status === 'streaming' && part.toolCall.toolCallId === action.toolCallId
          ? { ...part, toolCall: { ...part.toolCall, partialInput: (part.toolCall.partialInput ?? '') + action.content } }
          : part,
      );
    default:
      throw new Error(`the reference has no ${action.type}`);
  }
};

function sessionWith(parts: number): SessionState {
  const responseParts = Array.from({ length: parts }, (_, index): ResponsePart => ({
    kind: 'markdown',
    id: partId(index),
    content: 'So far.',
  }));
  return {
    summary: { resource: SESSION, provider: 'copilot', title: 'Bench', status: 8, createdAt: 1, modifiedAt: 1 },
    lifecycle: 'ready',
    turns: [],
    activeTurn: { id: TURN, userMessage: { text: 'Go' }, responseParts },
  };
}

/** As unlike each other as the UUIDs of a host: ids with one beginning would make every comparison read to their end. */
function partId(index: number): string {
  return `${Math.imul(index + 1, 0x9e3779b1)
    .toString(16)
    .replace('-', '')
    .padStart(8, '0')}-0000-4000-8000-000000000000`;
}

/** Text that streams into the last part, as a model writes. */
function streamTrace(parts: number, length: number): Trace {
  const actions = Array.from({ length }, (_, index): StateAction => ({
    type: 'session/delta',
    session: SESSION,
    turnId: TURN,
    partId: partId(parts - 1),
    content: ` word${index}`,
  }));
  return { name: `stream, ${parts} parts`, resource: SESSION, initial: sessionWith(parts), actions, frames: framesOf(actions) };
}

/** A turn of many tool calls, each of a few actions, between short texts: the least that batches can merge. */
function toolTrace(calls: number): Trace {
  const base = { session: SESSION, turnId: TURN };
  const actions = Array.from({ length: calls }, (_, index): StateAction[] => {
    const call = { ...base, toolCallId: `call_${index}` };
    const text = partId(index + 1);
    return [
      { ...base, type: 'session/responsePart', part: { kind: 'markdown', id: text, content: 'I will' } },
      { ...base, type: 'session/delta', partId: text, content: ' run the build' },
      { ...base, type: 'session/delta', partId: text, content: ' and see.' },
      { ...call, type: 'session/toolCallStart', toolName: 'bash', displayName: 'Run Command' },
      {
        ...call,
        type: 'session/toolCallReady',
        invocationMessage: 'Running `npm test`',
        toolInput: '{"command":"npm test"}',
        confirmed: 'not-needed',
      },
      {
        ...call,
        type: 'session/toolCallContentChanged',
        content: [{ type: 'terminal', resource: 'agenthost-terminal:/1', title: 'npm test' }],
      },
      {
        ...call,
        type: 'session/toolCallComplete',
        result: { success: true, pastTenseMessage: 'Ran `npm test`', content: [{ type: 'text', text: 'ok' }] },
      },
    ];
  }).flat();
  return { name: `tools, ${calls} calls`, resource: SESSION, initial: sessionWith(1), actions, frames: framesOf(actions) };
}

function framesOf(actions: StateAction[]): string[] {
  return actions.map((action, index) => JSON.stringify({ jsonrpc: '2.0', method: 'action', params: { action, serverSeq: index + 1 } }));
}

/** All actions of the recorded transcripts, by transcript and resource, each from its first snapshot on. */
function recordedTraces(): Trace[] {
  const dir = sharedDir();
  if (dir === undefined) return [];
  return v1Transcripts(dir).flatMap((name) => {
    const traces = new Map<URI, Trace>();
    for (const { dir: direction, raw, message } of transcriptFrames(dir, name)) {
      if (direction !== 's2c') continue;
      const { snapshot, snapshots = snapshot ? [snapshot] : [] } = (message.result ?? {}) as {
        snapshot?: Snapshot;
        snapshots?: Snapshot[];
      };
      for (const { resource, state } of snapshots) {
        if (!traces.has(resource)) traces.set(resource, { name, resource, initial: state, frames: [], actions: [] });
      }
      if (message.method !== 'action') continue;
      const { action } = message.params as unknown as ActionEnvelope;
      const trace = traces.get(resourceOf(action) ?? '');
      trace?.actions.push(action);
      trace?.frames.push(raw);
    }
    return [...traces.values()].filter((trace) => trace.actions.length > 0);
  });
}

/** Milliseconds of one run of `work`: the fastest of many, since everything that disturbs a measurement makes it slower. */
function fastest(work: () => unknown, budgetMs = 250): number {
  let best = Infinity;
  const end = performance.now() + budgetMs;
  do {
    const start = performance.now();
    for (let i = 0; i < 5; i++) work();
    best = Math.min(best, (performance.now() - start) / 5);
  } while (performance.now() < end);
  return best;
}

function inBatches<S>(reducer: Reducer<S>, state: S, actions: StateAction[]): S {
  for (let start = 0; start < actions.length; start += BATCH) state = reduceAll(reducer, state, actions.slice(start, start + BATCH), NOW);
  return state;
}

function singly<S>(reducer: Reducer<S>, state: S, actions: StateAction[]): S {
  return actions.reduce((current, action) => reducer(current, action, NOW), state);
}

function report(name: string, ratio: number): void {
  console.log(JSON.stringify({ name, ratio: Number(ratio.toPrecision(3)) }));
}

function reportParse(name: string, traces: Trace[]): void {
  const parse = fastest(() => traces.map((trace) => trace.frames.map((frame) => JSON.parse(frame) as unknown)));
  const reduce = fastest(() => traces.map(({ resource, initial, actions }) => inBatches(reducerFor(resource), initial, actions)));
  report(`reduce in batches of ${BATCH} ÷ JSON.parse: ${name}`, reduce / parse);
  report(`parse and reduce ÷ JSON.parse: ${name}`, (parse + reduce) / parse);
}

export function run(): void {
  const recorded = recordedTraces();
  if (recorded.length > 0) reportParse('recorded', recorded);
  else console.log(JSON.stringify({ name: 'recorded traces', skipped: 'no shared data' }));
  reportParse('tools, 60 calls', [toolTrace(60)]);
  for (const parts of [1, 20, 400]) {
    const trace = streamTrace(parts, 5 * BATCH);
    const initial = trace.initial as SessionState;
    reportParse(trace.name, [trace]);
    const reference = fastest(() => singly(spreadReducer, initial, trace.actions));
    report(
      `ours in batches of ${BATCH} ÷ spreads: ${trace.name}`,
      fastest(() => inBatches(sessionReducer, initial, trace.actions)) / reference,
    );
    report(`ours singly ÷ spreads: ${trace.name}`, fastest(() => singly(sessionReducer, initial, trace.actions)) / reference);
  }
}
