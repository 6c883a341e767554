/** What has to be chosen before a session is made, because it cannot be changed later: where it works and on which branch, for example. */
import type { ResolveSessionConfigResult } from '../ahp/v1/commands.ts';
import { oneLine } from './oneLine.ts';

export interface ConfigOption {
  value: string;
  label: string;
  /** A sentence, or how old a branch is. */
  description?: string;
}

export interface ConfigStep {
  /** Name of the property. */
  id: string;
  title: string;
  /** A sentence of the host; '' where it gives none. */
  description: string;
  /** What the host would take. */
  value: string;
  /** The known ones. With `isDynamic` the host has to be asked for more. */
  options: ConfigOption[];
  isDynamic: boolean;
}

/** The next property to ask for: one with several values, which only now may be chosen, and that was not `asked` for yet. */
export function nextConfigStep({ schema, values }: ResolveSessionConfigResult, asked: ReadonlySet<string>): ConfigStep | undefined {
  for (const [id, property] of Object.entries(schema.properties)) {
    if (asked.has(id) || property.sessionMutable || property.readOnly || property.type !== 'string') continue;
    const options = (property.enum ?? []).map((value, index) => {
      const description = oneLine(property.enumDescriptions?.[index]);
      return { value, label: oneLine(property.enumLabels?.[index]) || value, ...(description && { description }) };
    });
    const isDynamic = property.enumDynamic === true;
    if (options.length < 2 && !isDynamic) continue;
    const value = values[id] ?? property.default;
    return {
      id,
      title: oneLine(property.title) || id,
      description: oneLine(property.description),
      value: typeof value === 'string' ? value : '',
      options,
      isDynamic,
    };
  }
  return undefined;
}
