/** Tools in the terminal of their author. */
import { isRecord } from '../../base/isRecord.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { onOneLine } from '../visible.ts';

const compared = ['description', 'parameters', 'timeoutMs', 'title', 'annotations', 'instances'] as const;

export function toolLine(tool: OfferedTool): string {
  return `  ${exampleCall(tool)}${tool.description ? `   ${onOneLine(tool.description)}` : ''}`;
}

/** A line each for what is new, gone or changed; empty where nothing is. */
export function toolChanges(before: readonly OfferedTool[], now: readonly OfferedTool[]): string[] {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const names = new Set(now.map(({ name }) => name));
  const lines = now.flatMap((tool) => {
    const was = old.get(tool.name);
    if (!was) return [`+${toolLine(tool).slice(1)}`];
    const changed = compared.filter((field) => JSON.stringify(was[field]) !== JSON.stringify(tool[field]));
    return changed.length ? [`~ ${tool.name}: ${changed.join(', ')}`] : [];
  });
  return [...lines, ...before.filter(({ name }) => !names.has(name)).map(({ name }) => `- ${name}`)];
}

/** What to type to call it: its required arguments, with a value of their type. */
export function exampleCall({ name, parameters }: OfferedTool): string {
  const { properties, required } = parameters;
  const wanted = Array.isArray(required) ? required.filter((key): key is string => typeof key === 'string') : [];
  const args = Object.fromEntries(wanted.map((key) => [key, exampleOf(isRecord(properties) ? properties[key] : undefined)]));
  return onOneLine(wanted.length ? `${name} ${JSON.stringify(args)}` : name);
}

function exampleOf(schema: unknown): unknown {
  if (!isRecord(schema)) return 'x';
  const { enum: values, default: usual, minimum, type } = schema;
  if (usual !== undefined) return usual;
  if (Array.isArray(values) && values.length) return values[0];
  switch (type) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'x';
  }
}
