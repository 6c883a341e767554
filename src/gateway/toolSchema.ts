/** JSON Schema of tool parameters: checked once when a tool is registered, and against the arguments of every call. */
import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf } from '../base/errors.ts';
import { ProviderError } from '../tap/errorCodes.ts';
import { bounded } from './bounded.ts';
import { linearPattern } from './pattern.ts';

const COMPILE_MS = 1000;
const COMPILE_ALL_MS = 3000;
const CHECK_MS = 500;
/** Keywords whose cost is not bounded by the size of schema and arguments, or by a product of them that is too large. */
const costly = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems|pattern|patternProperties)"/;

/** What is wrong with the arguments, in words that a model can act on; undefined when they fit. */
export type ArgumentCheck = (args: unknown) => string | undefined;

/** What the schemas of one message may take to be compiled, all together, in milliseconds of this process: others may keep the machine busy. */
export class SchemaTime {
  constructor(private leftMs = COMPILE_ALL_MS) {}

  /** Throws when the time is over. */
  run<T>(work: () => T): T {
    if (this.leftMs <= 0) throw new Error('the schemas of this message take too much time');
    const started = process.cpuUsage();
    try {
      return bounded(work, COMPILE_MS);
    } finally {
      const { user, system } = process.cpuUsage(started);
      this.leftMs -= (user + system) / 1000;
    }
  }
}

/** Providers register the same tools again and again: at every rebind, reconnect and update. Oldest first. */
const compiled = new Map<string, ArgumentCheck>();
let compiledLength = 0;
const MAX_COMPILED = 1000;
/** Characters of all their schemas. */
const MAX_COMPILED_LENGTH = 4 * 1024 * 1024;

const options = { strict: false, validateFormats: false, logger: false } as const;
/** What is a schema at all, by draft. They never hold a provider's own, which could take another's name. */
const draft7 = { Ajv, meta: new Ajv(options) };
const draft2020 = { Ajv: Ajv2020, meta: new Ajv2020(options) };

const regExp = Object.assign((source: string) => linearPattern(source), { code: 'linear' });
const compilerOptions = {
  ...options,
  meta: false,
  validateSchema: false,
  inlineRefs: false,
  // A parameter may be called `constructor`.
  ownProperties: true,
  code: { regExp },
} as const;

/** Throws a {@link ProviderError} that names the tool when its parameters are no usable JSON Schema. */
export function compileArguments(tool: string, parameters: Record<string, unknown>, time: SchemaTime): ArgumentCheck {
  const text = JSON.stringify(parameters);
  const known = compiled.get(text);
  if (known) return known;
  const check = compile(tool, parameters, text, time);
  compiled.set(text, check);
  compiledLength += text.length;
  for (const [oldest] of compiled) {
    if (compiled.size <= MAX_COMPILED && compiledLength <= MAX_COMPILED_LENGTH) break;
    compiled.delete(oldest);
    compiledLength -= oldest.length;
  }
  return check;
}

function compile(tool: string, { $schema, ...schema }: Record<string, unknown>, text: string, time: SchemaTime): ArgumentCheck {
  if (!Object.keys(schema).length) return () => undefined;
  const refuse = (why: string) => new ProviderError('INVALID_JSON', `tool ${JSON.stringify(tool)}: parameters: ${why}`);
  if ('$async' in schema) throw refuse('$async is not JSON Schema');
  const draft = /\/(?:2019-09|2020-12)\//.test(String($schema)) ? draft2020 : draft7;
  let validate;
  try {
    validate = time.run(() => {
      if (!draft.meta.validateSchema(schema)) throw new Error(draft.meta.errorsText());
      return new draft.Ajv(compilerOptions).compile(schema);
    });
  } catch (error) {
    throw refuse(messageOf(error).slice(0, 300));
  }
  const check = (args: unknown) => (validate(args) ? undefined : describe(validate.errors?.[0]));
  if (!costly.test(text)) return check;
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
