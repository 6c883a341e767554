/**
 * Logs of format 1: a session in its states of AHP v1. The chat of each subagent was a session with a folder of its own. They are only read,
 * and written anew as format 2 when their session is opened.
 */
import type { URI } from '../../../../ahp/common/shapes.ts';
import type { ActionEnvelope } from '../../../../ahp/v1/actions.ts';
import { sessionReducer } from '../../../../ahp/v1/reducers/sessionReducer.ts';
import type { SessionState, SessionSummary } from '../../../../ahp/v1/session.ts';
import { isRecord } from '../../../../base/isRecord.ts';
import type { SessionFacts } from '../../listedSession.ts';
import { DamagedLogError, type LogFile, parsedLine } from '../files/logFile.ts';

export const FORMAT_ONE = 1;

/** What was not in the summary only. */
export type FactsOfFormatOne = Omit<SessionFacts, 'createdAt'>;

export interface SessionOfFormatOne {
  facts: FactsOfFormatOne;
  state: SessionState;
  /** The greatest sequence number in the log. */
  seq: number;
  /** The place among the further lines of the first one that cannot be read. It and all later ones do not count. */
  damagedAt?: number;
}

/** Changes nothing. Throws {@link DamagedLogError}. */
export function readLogOfFormatOne({ path, head, lines }: LogFile): SessionOfFormatOne {
  const { facts, seq, state } = head as Partial<SessionOfFormatOne>;
  if (typeof facts?.uri !== 'string' || typeof seq !== 'number' || !isRecord(state?.summary) || !Array.isArray(state.turns))
    throw new DamagedLogError(`${path} does not begin with a session of format ${FORMAT_ONE}`);
  const session: SessionOfFormatOne = { facts, state, seq };
  for (const [index, line] of lines.entries()) {
    const { at, envelope } = (parsedLine(line) ?? {}) as { at?: unknown; envelope?: Partial<ActionEnvelope> };
    if (typeof at !== 'number' || typeof envelope?.serverSeq !== 'number' || typeof envelope.action !== 'object') {
      session.damagedAt = index;
      break;
    }
    if (envelope.serverSeq <= session.seq) continue;
    // One by one: these reducers use the time.
    session.state = sessionReducer(session.state, envelope.action, at);
    session.seq = envelope.serverSeq;
  }
  return session;
}

/** What `summary.json` says. Undefined for less than a list needs. */
export function knownOfFormatOne(value: {
  facts?: unknown;
  summary?: unknown;
}): { facts: FactsOfFormatOne; summary: SessionSummary } | undefined {
  const facts = (value.facts ?? {}) as FactsOfFormatOne;
  const summary = (value.summary ?? {}) as SessionSummary;
  const isKnown =
    [facts.uri, facts.workingDirectory, summary.title, summary.provider].every((text) => typeof text === 'string') &&
    [summary.status, summary.createdAt, summary.modifiedAt].every((number) => Number.isSafeInteger(number));
  return isKnown ? { facts, summary } : undefined;
}

/** The state of a session of which only the summary is known. */
export function bareState(summary: SessionSummary, resource: URI): SessionState {
  return { summary: { ...summary, resource }, lifecycle: 'ready', turns: [] };
}
