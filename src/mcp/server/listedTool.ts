/** Turns a tool of a provider into the one that MCP clients get. */
import { type Tool, ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { callParameters } from '../../tap/owner/offeredTool.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import type { PairedState } from './pairedTools.ts';

/** Of a tool that the user has not allowed, no word but its name. */
const withheld: Readonly<Record<Exclude<PairedState, 'allowed'>, string>> = {
  asks: 'A tool of a paired provider. The user has not allowed it yet. Calling it asks them; its description and parameters are listed once it is allowed.',
  tooLong: 'A tool of a paired provider. It cannot be allowed in this session, because it says too much of itself to be shown whole.',
};

/**
 * The title names the provider, because clients show it when they ask the user. `isChecked`: its results are checked against its
 * `outputSchema`, so that clients may know it. Undefined when MCP cannot express the parameters.
 */
export function listedTool(tool: OfferedTool, state: PairedState, isChecked = false): Tool | undefined {
  const listed = allowedTool(tool, isChecked);
  if (state === 'allowed' || !listed) return listed;
  const { name, trust } = tool;
  const title = `${name} (paired provider, not allowed yet)`;
  return { name, title, description: withheld[state], inputSchema: { type: 'object' }, _meta: { 'tapline/trust': trust } };
}

function allowedTool(tool: OfferedTool, isChecked: boolean): Tool | undefined {
  const { name, title = name, description, provider, trust, annotations, outputSchema } = tool;
  const listed = {
    name,
    title: trust === 'external' ? `${name} (paired provider: ${provider})` : `${title} (${provider})`,
    description,
    inputSchema: inputSchema(callParameters(tool)),
    ...(isChecked && { outputSchema }),
    // Clients ask less for the sake of hints, and only those of Tapline itself are known to be true.
    ...(trust === 'internal' && annotations && { annotations }),
    _meta: { 'tapline/provider': provider, 'tapline/trust': trust, ...(annotations && { 'tapline/annotations': annotations }) },
  };
  // A client rejects the whole list when one tool is not valid.
  return ToolSchema.safeParse(listed).data;
}

/** The schema of an object, because MCP accepts no other. The gateway only accepts objects as arguments, too. */
function inputSchema(parameters: Record<string, unknown>): object {
  const { properties } = parameters;
  if (typeof properties !== 'object' || properties === null) return { ...parameters, type: 'object' };
  const asObjects = Object.entries(properties).map(([name, schema]) => [name, typeof schema === 'boolean' ? asObject(schema) : schema]);
  return { ...parameters, type: 'object', properties: Object.fromEntries(asObjects) };
}

/** The schemas `true` and `false`, which MCP does not accept for a property. */
const asObject = (schema: boolean) => (schema ? {} : { not: {} });
