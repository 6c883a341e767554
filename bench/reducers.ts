/**
 * What the reducers cost: reducing frames in batches ÷ parsing the same frames, and ours ÷ a reference that is written with spreads only.
 */
import type { StateAction } from '../src/ahp/v1/actions.ts';
import { reduceAll, type Reducer, reducerFor } from '../src/ahp/v1/reducers/reduceAll.ts';
import type { ActiveTurn, ResponsePart, SessionState } from '../src/ahp/v1/session.ts';
import { sessionReducer } from '../src/ahp/v1/reducers/sessionReducer.ts';
import { fastest, report } from './measure.ts';
import { BATCH, recordedTraces, streamTrace, toolTrace, type Trace } from './traces.ts';

const NOW = 9999;

/** The reference: what one would write first. It knows appends only, of which the synthetic traces consist. */
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

function inBatches<S>(reducer: Reducer<S>, state: S, actions: StateAction[]): S {
  for (let start = 0; start < actions.length; start += BATCH) state = reduceAll(reducer, state, actions.slice(start, start + BATCH), NOW);
  return state;
}

function singly<S>(reducer: Reducer<S>, state: S, actions: StateAction[]): S {
  return actions.reduce((current, action) => reducer(current, action, NOW), state);
}

function reportParse(name: string, traces: Trace[]): void {
  const parse = fastest(() => traces.map((trace) => trace.frames.map((frame) => JSON.parse(frame) as unknown)));
  const reduce = fastest(() => traces.map(({ resource, initial, actions }) => inBatches(reducerFor(resource), initial, actions)));
  report(`reduce in batches of ${BATCH} ÷ JSON.parse: ${name}`, reduce / parse);
  report(`parse and reduce ÷ JSON.parse: ${name}`, (parse + reduce) / parse);
  const one = fastest(() => traces.map(({ resource, initial, actions }) => singly(reducerFor(resource), initial, actions)));
  report(`reduce singly ÷ JSON.parse: ${name}`, one / parse);
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
