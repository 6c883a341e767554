/** The settings of a session that have to be chosen before it is created, such as where it works and on which branch. */
import type { SessionConfigState } from '../../ahp/channels/shapes/config.ts';
import { oneLine } from '../text/oneLine.ts';

export interface ConfigOption {
  value: string;
  label: string;
  /** A sentence, or the age of a branch. */
  description?: string;
}

export interface ConfigStep {
  /** Name of the property. */
  id: string;
  title: string;
  /** A sentence of the host, or ''. */
  description: string;
  /** The host's default. */
  value: string;
  /** If `isDynamic` is set, the host has to be asked for more. */
  options: ConfigOption[];
  isDynamic: boolean;
}

/** The next property to ask for: one that has several values, cannot be changed later, and is not in `asked`. */
export function nextConfigStep({ schema, values }: SessionConfigState, asked: ReadonlySet<string>): ConfigStep | undefined {
  for (const [id, property] of Object.entries(schema.properties)) {
    if (asked.has(id) || property.sessionMutable || property.readOnly || property.type !== 'string') continue;
    const options = (property.enum ?? []).flatMap((value, index): ConfigOption[] => {
      if (typeof value !== 'string') return [];
      const description = oneLine(property.enumDescriptions?.[index]);
      return [{ value, label: oneLine(property.enumLabels?.[index]) || value, ...(description && { description }) }];
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
