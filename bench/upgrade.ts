/** What the upgrade of AHP v1 costs: that of one appended word, as the session grows, and as a share of parsing the frames. */
import { reduceAll } from '../src/ahp/common/reducers/reduceAll.ts';
import type { StateAction } from '../src/ahp/v1/actions.ts';
import { sessionReducer } from '../src/ahp/v1/reducers/sessionReducer.ts';
import type { ResponsePart, SessionState, Turn } from '../src/ahp/v1/session.ts';
import { upgradedChat, upgradedSession } from '../src/ahp/v1/upgrade.ts';
import { fastest, report } from './measure.ts';
import { BATCH, partId, SESSION, sessionWith, streamTrace, TURN } from './traces.ts';

const NOW = 9999;

function upgrade(state: SessionState): unknown {
  return [upgradedSession(state), upgradedChat(state)];
}

/** Appends a word to a session whose earlier turns and parts are upgraded already. */
function deltaOf(initial: SessionState, part: string): () => unknown {
  const action: StateAction = { type: 'session/delta', session: SESSION, turnId: TURN, partId: part, content: 'x' };
  let state = initial;
  upgrade(state);
  let words = 0;
  return () => {
    // A text of constant length, so that only the size of the session counts.
    state = words++ % BATCH === 0 ? { ...initial } : reduceAll(sessionReducer, state, [action], NOW);
    return upgrade(state);
  };
}

function withTurns(count: number): SessionState {
  const turns = Array.from({ length: count }, (_, index): Turn => ({
    id: `t${index}`,
    userMessage: { text: 'Question' },
    responseParts: [{ kind: 'markdown', id: `m${index}`, content: 'Answer' }],
    state: 'complete',
  }));
  return { ...sessionWith(1), turns };
}

function withCalls(count: number): SessionState {
  const state = sessionWith(1);
  const calls = Array.from({ length: count }, (_, index): ResponsePart => ({
    kind: 'toolCall',
    toolCall: {
      status: 'completed',
      toolCallId: `c${index}`,
      toolName: 'look',
      displayName: 'Look',
      toolClientId: 'me',
      invocationMessage: 'Looking',
      confirmed: 'not-needed',
      success: true,
      pastTenseMessage: 'Looked',
    },
  }));
  const { activeTurn } = state;
  return activeTurn ? { ...state, activeTurn: { ...activeTurn, responseParts: [...activeTurn.responseParts, ...calls] } } : state;
}

export function run(): void {
  report('delta and upgrade: 5,000 turns ÷ 50', fastest(deltaOf(withTurns(5_000), partId(0))) / fastest(deltaOf(withTurns(50), partId(0))));
  for (const calls of [50, 400]) {
    report(
      `delta and upgrade: ${calls} calls ÷ 1`,
      fastest(deltaOf(withCalls(calls), partId(0))) / fastest(deltaOf(withCalls(1), partId(0))),
    );
  }
  for (const parts of [1, 400]) {
    const { name, initial, actions, frames } = streamTrace(parts, 5 * BATCH);
    const parse = fastest(() => frames.map((frame) => JSON.parse(frame) as unknown));
    const run = (each: (state: SessionState) => unknown): number =>
      fastest(() => {
        let state = initial as SessionState;
        for (let start = 0; start < actions.length; start += BATCH) {
          state = reduceAll(sessionReducer, state, actions.slice(start, start + BATCH), NOW);
          each(state);
        }
      });
    const reduce = run(() => undefined);
    report(`upgrade after each batch of ${BATCH} ÷ JSON.parse: ${name}`, (run(upgrade) - reduce) / parse);
  }
}
