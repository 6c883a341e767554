/** JSON Schema of tool parameters: checked once when a tool is registered, and against the arguments of every call. */
import { Ajv, type ErrorObject } from 'ajv';
import { RE2JS } from 're2js';
import { messageOf } from '../base/errors.ts';
import { ProviderError } from '../tap/errorCodes.ts';
import { bounded } from './bounded.ts';

const COMPILE_MS = 500;
const CHECK_MS = 100;
/** Keywords whose cost is not bounded by the size of schema and arguments. */
const costly = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;

/** What is wrong with the arguments, in words that a model can act on; undefined when they fit. */
export type ArgumentCheck = (args: unknown) => string | undefined;

/** Providers register the same tools again and again: at every rebind, reconnect and update. Oldest first. */
const compiled = new Map<string, ArgumentCheck>();
const MAX_COMPILED = 1000;

const linear = Object.assign(
  (source: string) => {
    const pattern = RE2JS.compile(source);
    return { test: (text: string) => pattern.test(text) };
  },
  { code: 'linear' },
);

const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
  inlineRefs: false,
  code: { regExp: linear },
});

/** Throws a {@link ProviderError} that names the tool when its parameters are no usable JSON Schema. */
export function compileArguments(tool: string, parameters: Record<string, unknown>): ArgumentCheck {
  const text = JSON.stringify(parameters);
  const known = compiled.get(text);
  if (known) return known;
  const check = compile(tool, parameters, text);
  compiled.set(text, check);
  if (compiled.size > MAX_COMPILED) compiled.delete(compiled.keys().next().value as string);
  return check;
}

function compile(tool: string, parameters: Record<string, unknown>, text: string): ArgumentCheck {
  if (text === '{}') return () => undefined;
  const refuse = (why: string) => new ProviderError('INVALID_JSON', `tool ${JSON.stringify(tool)}: parameters: ${why}`);
  if ('$async' in parameters) throw refuse('$async is not JSON Schema');
  const isCostly = costly.test(text);
  let validate;
  try {
    validate = bounded(() => ajv.compile(parameters), COMPILE_MS);
  } catch (error) {
    throw refuse(messageOf(error).slice(0, 300));
  } finally {
    ajv.removeSchema(parameters);
  }
  const check = (args: unknown) => (validate(args) ? undefined : describe(validate.errors?.[0]));
  if (!isCostly) return check;
  return (args) => {
    try {
      return bounded(() => check(args), CHECK_MS);
    } catch (error) {
      return `they could not be checked: ${messageOf(error)}`;
    }
  };
}

function describe(error: ErrorObject | undefined): string {
  if (!error) return 'they do not fit the schema of the tool';
  const where = error.instancePath.slice(1).replaceAll('/', '.');
  const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.params.allowedValues)}` : '';
  const extra = error.keyword === 'additionalProperties' ? `: ${JSON.stringify(error.params.additionalProperty)}` : '';
  return `${where ? `${where} ` : ''}${error.message ?? 'does not fit'}${allowed}${extra}`;
}
