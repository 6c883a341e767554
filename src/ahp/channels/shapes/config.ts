/** Configuration: the JSON Schema subset of AHP, its display extensions, and values. */
import type { JsonPrimitive, UnknownTag } from './basic.ts';

export interface ConfigPropertySchema {
  type: 'string' | 'number' | 'boolean' | 'array' | 'object' | UnknownTag;
  title: string;
  description?: string;
  default?: unknown;
  enum?: JsonPrimitive[];
  /** Parallel to `enum`. */
  enumLabels?: string[];
  /** Parallel to `enum`. */
  enumDescriptions?: string[];
  readOnly?: boolean;
  required?: string[];
  items?: ConfigPropertySchema;
  properties?: Record<string, ConfigPropertySchema>;
  additionalProperties?: ConfigPropertySchema;
  /** Of an array. Since 1.0.0. */
  minItems?: number;
  maxItems?: number;
}
export interface ConfigSchema {
  type: 'object';
  properties: Record<string, ConfigPropertySchema>;
  required?: string[];
}

export interface SessionConfigPropertySchema extends ConfigPropertySchema {
  /** There are too many values to list. They are requested with `sessionConfigCompletions`. */
  enumDynamic?: boolean;
  /** May be changed after the session was created. */
  sessionMutable?: boolean;
}
export interface SessionConfigSchema {
  type: 'object';
  properties: Record<string, SessionConfigPropertySchema>;
  required?: string[];
}
export interface SessionConfigState {
  schema: SessionConfigSchema;
  values: Record<string, unknown>;
}
