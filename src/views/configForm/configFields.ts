/** The settings that a schema has as the fields of a form. Schema and values come from a host or from one of its models. */
import type { JsonPrimitive } from '../../ahp/channels/shapes/basic.ts';
import type {
  ConfigPropertySchema,
  ConfigSchema,
  SessionConfigPropertySchema,
  SessionConfigSchema,
} from '../../ahp/channels/shapes/config.ts';
import { oneLine } from '../text/oneLine.ts';

/** A form or a list of values is no longer than this. */
const MAX_FIELDS = 60;
export const MAX_OPTIONS = 200;
/** In characters, of one value. */
export const MAX_VALUE = 20_000;

export interface ConfigOption {
  value: string;
  label: string;
  /** A sentence, or the age of a branch. */
  description?: string;
}

interface Common {
  /** Name of the property. */
  id: string;
  title: string;
  /** A sentence of the host, or ''. */
  description: string;
  isRequired: boolean;
  isReadOnly: boolean;
  /** It may be changed after the session was created. */
  isMutable: boolean;
}
/** One value of a list. With `isDynamic` the host has to be asked for more. */
export interface ChoiceField extends Common {
  kind: 'choice';
  of: 'string' | 'number';
  /** '' without a value. */
  value: string;
  options: readonly ConfigOption[];
  isDynamic: boolean;
  /** The host has no labels, only bare words such as `low`, which need the title to be understood. */
  isBare: boolean;
}
export interface SwitchField extends Common {
  kind: 'switch';
  value: boolean;
}
export interface TextField extends Common {
  kind: 'text' | 'secret';
  value: string;
}
export interface NumberField extends Common {
  kind: 'number' | 'integer';
  /** '' without a value. */
  value: string;
}
/** Some of the options or, without options, one value in a line. */
export interface ListField extends Common {
  kind: 'list';
  of: 'string' | 'number';
  value: readonly string[];
  options: readonly ConfigOption[];
  least?: number;
  most?: number;
}
/** What has no control of its own, such as an object: as JSON. */
export interface JsonField extends Common {
  kind: 'json';
  of: 'object' | 'array';
  value: string;
}
export type ConfigField = ChoiceField | SwitchField | TextField | NumberField | ListField | JsonField;

type Schema = ConfigSchema | SessionConfigSchema;
type Property = ConfigPropertySchema & Pick<SessionConfigPropertySchema, 'enumDynamic' | 'sessionMutable'>;

/** In the order of the schema. Values that do not fit their property count as absent. Kinds of a later version are left out. */
export function configFields({ properties, required = [] }: Schema, values: Readonly<Record<string, unknown>> = {}): ConfigField[] {
  const needed = new Set(required);
  return Object.entries(properties)
    .slice(0, MAX_FIELDS)
    .flatMap(([id, property]) => {
      const value = Object.hasOwn(values, id) ? values[id] : undefined;
      const common = {
        id,
        title: oneLine(property.title) || oneLine(id),
        description: oneLine(property.description, 600),
        isRequired: needed.has(id),
        isReadOnly: property.readOnly === true,
        isMutable: 'sessionMutable' in property && property.sessionMutable === true,
      };
      const field = fieldOf(common, property, value);
      return field ? [field] : [];
    });
}

/** `integer` is none of the protocol's types, and hosts may have it, as JSON Schema does. */
function fieldOf(common: Common, property: Property, given: unknown): ConfigField | undefined {
  const type = property.type as string;
  switch (type) {
    case 'boolean':
      return { ...common, kind: 'switch', value: firstFit(isBoolean, given, property.default) ?? false };
    case 'string': {
      const value = firstFit(isText, given, property.default) ?? '';
      const options = optionsOf(property, isText);
      const isDynamic = property.enumDynamic === true;
      if (options.length > 0 || isDynamic) return choice(common, property, 'string', value, options, isDynamic);
      return { ...common, kind: isSensitive(property) ? 'secret' : 'text', value };
    }
    case 'number':
    case 'integer': {
      const value = String(firstFit(isNumber, given, property.default) ?? '');
      const options = optionsOf(property, isNumber);
      return options.length > 0 ? choice(common, property, 'number', value, options, false) : { ...common, kind: type, value };
    }
    case 'array':
      return list(common, property, given);
    case 'object':
      return { ...common, kind: 'json', of: 'object', value: json(given ?? property.default) };
    default:
      return undefined;
  }
}

function choice(
  common: Common,
  property: Property,
  of: ChoiceField['of'],
  value: string,
  options: readonly ConfigOption[],
  isDynamic: boolean,
): ChoiceField {
  const isBare = property.enumLabels === undefined && !isDynamic;
  return { ...common, kind: 'choice', of, value, options: withValue(options, value), isDynamic, isBare };
}

/** The current value is among the options also where the host does not offer it any more. */
export function withValue(options: readonly ConfigOption[], value: string): readonly ConfigOption[] {
  if (value === '' || options.some((option) => option.value === value)) return options;
  return [{ value, label: oneLine(value) }, ...options];
}

function list(common: Common, property: Property, given: unknown): ConfigField {
  const { items, minItems, maxItems } = property;
  const all = firstFit(Array.isArray, given, property.default) as unknown[] | undefined;
  const of = items?.type === 'number' || (items?.type as string) === 'integer' ? 'number' : items?.type;
  const fits = of === 'number' ? isNumber : isText;
  if ((of !== 'string' && of !== 'number') || all?.some((one) => !fits(one)) === true)
    return { ...common, kind: 'json', of: 'array', value: json(all) };
  const value = (all ?? []).slice(0, MAX_OPTIONS).map((one) => String(one));
  const options = items ? value.reduce(withValue, optionsOf(items, fits)) : [];
  return {
    ...common,
    ...{ kind: 'list', of, value },
    options: items && optionsOf(items, fits).length > 0 ? options : [],
    ...(minItems !== undefined && { least: minItems }),
    ...(maxItems !== undefined && { most: maxItems }),
  };
}

function optionsOf(property: ConfigPropertySchema, fits: (value: unknown) => boolean): ConfigOption[] {
  return (property.enum ?? []).slice(0, MAX_OPTIONS).flatMap((value: JsonPrimitive, index) => {
    if (!fits(value)) return [];
    const description = oneLine(property.enumDescriptions?.[index]);
    const label = oneLine(property.enumLabels?.[index]) || oneLine(String(value));
    return [{ value: String(value), label, ...(description && { description }) }];
  });
}

/** The protocol has no word for it. Hosts mark what nobody may read over the user's shoulder as JSON Schema and forms do. */
export function isSensitive(property: object): boolean {
  const { sensitive, writeOnly, format } = property as { sensitive?: unknown; writeOnly?: unknown; format?: unknown };
  return sensitive === true || writeOnly === true || format === 'password';
}

function firstFit<T>(fits: (value: unknown) => value is T, ...values: unknown[]): T | undefined {
  return values.find(fits);
}
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_VALUE;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

function json(value: unknown): string {
  const text = value === undefined ? '' : JSON.stringify(value, null, 1);
  return text.length > MAX_VALUE ? '' : text;
}
