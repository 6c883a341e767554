/** Whether two copies of a resource's state are equal. */
import { sameJson } from '../../../base/sameJson.ts';
import type { ResourceState } from '../../v1/commands.ts';
import type { RootState } from '../../v1/root.ts';
import type { SessionState, SessionSummary } from '../../v1/session.ts';
import type { TerminalState } from '../../v1/terminal.ts';

/**
 * Compares what this version knows: hosts of other versions keep more (such as `isRead` in the summary), which no action here changes and
 * nothing shows. `summary.modifiedAt` is left out, because every side sets it by its own clock. A field that is undefined counts as absent.
 */
export function sameState(one: ResourceState, other: ResourceState): boolean {
  return sameJson(known(one), known(other));
}

// Records, because the compiler then says when a field of the type is missing here.
const rootFields: Record<keyof RootState, true> = { agents: true, activeSessions: true, terminals: true, config: true };
const sessionFields: Record<keyof SessionState, true> = {
  summary: true,
  lifecycle: true,
  creationError: true,
  serverTools: true,
  activeClient: true,
  turns: true,
  activeTurn: true,
  steeringMessage: true,
  queuedMessages: true,
  inputRequests: true,
  config: true,
  customizations: true,
  _meta: true,
};
const summaryFields: Record<Exclude<keyof SessionSummary, 'modifiedAt'>, true> = {
  resource: true,
  provider: true,
  title: true,
  status: true,
  activity: true,
  createdAt: true,
  project: true,
  model: true,
  workingDirectory: true,
  diffs: true,
};
const terminalFields: Record<keyof TerminalState, true> = {
  title: true,
  cwd: true,
  cols: true,
  rows: true,
  content: true,
  exitCode: true,
  claim: true,
  supportsCommandDetection: true,
};

function known(state: ResourceState): object {
  if ('summary' in state) return { ...only(state, sessionFields), summary: only(state.summary, summaryFields) };
  return only(state, 'content' in state ? terminalFields : rootFields);
}

function only(value: object, fields: object): object {
  return Object.fromEntries(Object.keys(fields).map((field) => [field, (value as Record<string, unknown>)[field]]));
}
