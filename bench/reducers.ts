/**
 * What the reducers of both dialects cost: reducing frames in batches ÷ parsing the same frames, and ours ÷ a reference that is written with
 * spreads only.
 */
import { reduceAll } from '../src/ahp/common/reducers/reduceAll.ts';
import type { ActionLike, Reducer } from '../src/ahp/common/reducers/reducer.ts';
import { reducerFor } from '../src/ahp/v1/reducers/reduceAll.ts';
import { chatStreamTrace, chatToolTrace, recordedChannelTraces } from './channelTraces.ts';
import { fastest, report } from './measure.ts';
import { BATCH, recordedTraces, streamTrace, toolTrace, type Trace as TraceV1 } from './traces.ts';

const NOW = 9999;

/** The actions of one resource, in order, and the frames that carried them. */
interface Trace {
  name: string;
  initial: object;
  frames: string[];
  actions: ActionLike[];
  reducer: Reducer<object>;
}

interface Part {
  kind: string;
  id?: string;
  content?: string;
  toolCall?: { status: string; toolCallId: string; partialInput?: string };
}
interface Streaming {
  activeTurn?: { id: string; responseParts: Part[] };
}
interface Append extends ActionLike {
  turnId: string;
  partId?: string;
  toolCallId?: string;
  content: string;
}

/** The reference: what one would write first. It knows appends only, of which the synthetic traces consist. */
function spreadReducer(state: Streaming, action: Append): Streaming {
  const turn = state.activeTurn;
  if (!turn || turn.id !== action.turnId) return state;
  const parts = (change: (part: Part) => Part): Streaming => {
    const activeTurn = { ...turn, responseParts: turn.responseParts.map(change) };
    return { ...state, activeTurn };
  };
  switch (action.type.slice(action.type.indexOf('/') + 1)) {
    case 'delta':
      return parts((part) =>
        part.kind === 'markdown' && part.id === action.partId ? { ...part, content: part.content + action.content } : part,
      );
    case 'reasoning':
      return parts((part) =>
        part.kind === 'reasoning' && part.id === action.partId ? { ...part, content: part.content + action.content } : part,
      );
    case 'toolCallDelta':
      return parts((part) =>
        part.kind === 'toolCall' && part.toolCall?.status === 'streaming' && part.toolCall.toolCallId === action.toolCallId
          ? { ...part, toolCall: { ...part.toolCall, partialInput: (part.toolCall.partialInput ?? '') + action.content } }
          : part,
      );
    default:
      throw new Error(`the reference has no ${action.type}`);
  }
}

function inBatches({ reducer, initial, actions }: Trace): object {
  let state = initial;
  for (let start = 0; start < actions.length; start += BATCH) state = reduceAll(reducer, state, actions.slice(start, start + BATCH), NOW);
  return state;
}

function singly({ reducer, initial, actions }: Trace): object {
  return actions.reduce((current, action) => reducer(current, action, NOW), initial);
}

/** Immer gets fast only when the engine has compiled it for all kinds of actions. In ms. */
const BUDGET_MS = 1_000;

function reportParse(name: string, traces: Trace[]): void {
  const parse = fastest(() => traces.map((trace) => trace.frames.map((frame) => JSON.parse(frame) as unknown)));
  const reduce = fastest(() => traces.map(inBatches), BUDGET_MS);
  report(`reduce in batches of ${BATCH} ÷ JSON.parse: ${name}`, reduce / parse);
  report(`parse and reduce ÷ JSON.parse: ${name}`, (parse + reduce) / parse);
  const one = fastest(() => traces.map(singly), BUDGET_MS);
  report(`reduce singly ÷ JSON.parse: ${name}`, one / parse);
}

interface Dialect {
  name: string;
  recorded: Trace[];
  tools(calls: number): Trace;
  stream(parts: number, length: number): Trace;
}

function ofV1(trace: TraceV1): Trace {
  return { ...trace, reducer: reducerFor(trace.resource) as Reducer<object> };
}

function runFor({ name, recorded, tools, stream }: Dialect): void {
  if (recorded.length > 0) reportParse(`${name}recorded`, recorded);
  else console.log(JSON.stringify({ name: `${name}recorded traces`, skipped: 'no shared data' }));
  reportParse(`${name}tools, 60 calls`, [tools(60)]);
  for (const parts of [1, 20, 400]) {
    const trace = stream(parts, 5 * BATCH);
    reportParse(`${name}${trace.name}`, [trace]);
    const reference = fastest(() => singly({ ...trace, reducer: spreadReducer as unknown as Reducer<object> }));
    report(`ours in batches of ${BATCH} ÷ spreads: ${name}${trace.name}`, fastest(() => inBatches(trace)) / reference);
    report(`ours singly ÷ spreads: ${name}${trace.name}`, fastest(() => singly(trace)) / reference);
  }
}

export function run(): void {
  const v1: Dialect = {
    name: '',
    recorded: recordedTraces().map(ofV1),
    tools: (calls) => ofV1(toolTrace(calls)),
    stream: (parts, length) => ofV1(streamTrace(parts, length)),
  };
  const channels: Dialect = { name: 'channels, ', recorded: recordedChannelTraces(), tools: chatToolTrace, stream: chatStreamTrace };
  for (const dialect of [v1, channels]) runFor(dialect);
}
