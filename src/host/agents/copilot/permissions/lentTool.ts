/** What the user allows of a tool that a client lends: whose it is, and what the model is told of it. */
import type { LentToolGrant } from '../../../../ahp/grants.ts';
import type { SessionActiveClient } from '../../../../ahp/channels/session/state.ts';
import { lentBy } from '../../../../ahp/lentBy.ts';
import { sha256 } from '../../../../base/node/sha256.ts';
import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import type { ClientTool } from '../asking/clientTools.ts';

/** The gateway lends under this name what is its own. */
const OWN_PROVIDER = 'tap';

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

/** A tool of Tapline's own provider that only reads what the session has: its files, streams and records. What other providers say of theirs counts for nothing. */
export function onlyReads(tool: ClientTool | undefined, lenders: readonly SessionActiveClient[]): boolean {
  const definition = lentNow(tool, lenders);
  const by = definition && lentBy(definition);
  if (by?.provider !== OWN_PROVIDER || by.trust !== 'internal' || !definition?.name.startsWith(`${OWN_PROVIDER}_`)) return false;
  return definition.annotations?.readOnlyHint === true && definition.annotations.destructiveHint !== true;
}

function lentNow(tool: ClientTool | undefined, lenders: readonly SessionActiveClient[]): ToolDefinition | undefined {
  const lender = lenders.find(({ clientId }) => clientId === tool?.clientId);
  return lender?.tools.find(({ name }) => name === tool?.definition.name);
}
