/** Whether configuration values fit their schema, for sessions and for the root. */
import * as l10n from '../../base/l10n.ts';
import { isRecord } from '../../base/isRecord.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { ConfigPropertySchema, SessionConfigPropertySchema } from '../../ahp/channels/shapes/config.ts';

interface Schema {
  properties: Readonly<Record<string, SessionConfigPropertySchema>>;
}

/** What is wrong with these values: a property that is not in the schema, or a value of the wrong type. */
export function configProblem(schema: Schema, values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(values)) {
    const property = propertyOf(schema, key);
    if (!property) return `config.${key} is not in the schema`;
    const problem = valueProblem(property, value, `config.${key}`);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * What is wrong with a change of `current`: as {@link configProblem}, or it changes a value that `mayChange` does not allow.
 * With `replace`, leaving a value out removes it, which is a change too.
 */
export function configChangeProblem(
  schema: Schema,
  current: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  replace: boolean,
  mayChange: (property: SessionConfigPropertySchema) => boolean,
): string | undefined {
  const problem = configProblem(schema, change);
  if (problem) return problem;
  for (const key of replace ? new Set([...Object.keys(current), ...Object.keys(change)]) : Object.keys(change)) {
    const property = propertyOf(schema, key);
    if (property && !mayChange(property) && !sameJson(change[key], current[key])) return l10n.t`${`config.${key}`} cannot be changed`;
  }
  return undefined;
}

function propertyOf(schema: Schema, key: string): SessionConfigPropertySchema | undefined {
  return Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
}

function valueProblem(property: SessionConfigPropertySchema | ConfigPropertySchema, value: unknown, path: string): string | undefined {
  switch (property.type) {
    case 'string':
      if (typeof value !== 'string') return `${path} must be a string`;
      if (!property.enum || ('enumDynamic' in property && property.enumDynamic) || property.enum.includes(value)) return undefined;
      return l10n.t`${path} must be one of ${l10n.commaText(property.enum.map(String))}`;
    case 'number':
      return Number.isFinite(value) ? undefined : l10n.t`${path} must be a number`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${path} must be a boolean`;
    case 'array': {
      if (!Array.isArray(value)) return `${path} must be an array`;
      const { items } = property;
      return items && firstProblem(value.map((item, index) => valueProblem(items, item, `${path}[${index}]`)));
    }
    case 'object': {
      if (!isRecord(value)) return `${path} must be an object`;
      const missing = property.required?.find((key) => !Object.hasOwn(value, key));
      if (missing !== undefined) return `${path}.${missing} is missing`;
      const known = Object.entries(property.properties ?? {}).filter(([key]) => Object.hasOwn(value, key));
      return firstProblem(known.map(([key, inner]) => valueProblem(inner, value[key], `${path}.${key}`)));
    }
    default:
      return undefined;
  }
}

function firstProblem(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
