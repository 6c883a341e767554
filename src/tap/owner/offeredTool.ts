/** A tool as the user allows it, and as an agent gets it. What the gateway adds to it is no part of what is allowed. */
import { isRecord } from '../../base/isRecord.ts';
import type { OfferedTool } from '../wire/owner/ownerMessages.ts';

/** All that the provider says of its tool, as one text: another one needs the user's word again. */
export function definitionText({ description, parameters }: OfferedTool): string {
  return JSON.stringify([description, parameters]);
}

/** The schema of a call: the provider's, with the choice of an instance where there are several. */
export function callParameters({ parameters, instances }: Pick<OfferedTool, 'parameters' | 'instances'>): Record<string, unknown> {
  if (!instances) return parameters;
  const { properties } = parameters;
  const available = instances.map(({ name, title }) => (title === undefined ? name : `${name} (${title})`)).join(', ');
  const target = { type: 'string', description: `Instance ID; the most recently active one if left out. Available: ${available}` };
  return { ...parameters, type: 'object', properties: { ...(isRecord(properties) && properties), target } };
}
