/** What the user allows of a tool that a client lends: whose it is, and what the model is told of it. */
import type { LentToolGrant } from '../../../../ahp/grants.ts';
import type { SessionActiveClient } from '../../../../ahp/channels/session/state.ts';
import { lentBy } from '../../../../ahp/lentBy.ts';
import { isRecord } from '../../../../base/isRecord.ts';
import { sha256 } from '../../../../base/node/sha256.ts';
import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import type { ClientTool } from '../asking/clientTools.ts';

/** The gateway lends under this name what is its own. */
const OWN_PROVIDER = 'tap';
/** A client is believed about what it says of its tools, so it is not the client that says which of them need no question. */
const READERS: readonly string[] = ['tap_get_session_state', 'tap_verify_goal_output', 'tap_audit_claims'];
/** Such a check shows the model a line of a stream, which may be a stranger's. */
const STREAM_CHECK = 'streamContains';

/**
 * The tool as it is lent now, which may not be as it was when the turn began. Undefined for one that is not lent any more, where it is not
 * known whose it is, and for one that says that it may destroy something, such as one that runs any command: then each call is asked about.
 */
export function lentTool(tool: ClientTool | undefined, lenders: readonly SessionActiveClient[]): LentToolGrant | undefined {
  const definition = lentNow(tool, lenders);
  const by = definition && lentBy(definition);
  if (!by || (by.trust === 'internal' && definition.annotations?.destructiveHint === true)) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  const digest = sha256(JSON.stringify([name, title, description, inputSchema, outputSchema, annotations]));
  return { kind: 'lentTool', name, ...by, digest };
}

/** The call only reads what the session has, by a tool of Tapline's own. What other providers say of theirs counts for nothing. */
export function onlyReads(tool: ClientTool | undefined, lenders: readonly SessionActiveClient[], args: unknown): boolean {
  const definition = lentNow(tool, lenders);
  const by = definition && lentBy(definition);
  if (by?.provider !== OWN_PROVIDER || by.trust !== 'internal' || !READERS.includes(definition?.name ?? '')) return false;
  if (definition?.annotations?.readOnlyHint !== true || definition.annotations.destructiveHint === true) return false;
  return isRecord(args) && !JSON.stringify(args).includes(STREAM_CHECK);
}

function lentNow(tool: ClientTool | undefined, lenders: readonly SessionActiveClient[]): ToolDefinition | undefined {
  const lender = lenders.find(({ clientId }) => clientId === tool?.clientId);
  return lender?.tools.find(({ name }) => name === tool?.definition.name);
}
