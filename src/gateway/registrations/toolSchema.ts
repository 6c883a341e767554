/** JSON Schema of tool parameters. It is checked when a tool is registered, and the arguments of every call are checked against it. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf } from '../../base/errors.ts';
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import type { ToolDefinition } from '../../tap/wire/fields.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { bounded } from '../../base/node/bounded.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import { linearPattern } from '../../base/node/patterns/linearPattern.ts';
import { patternWork } from '../limits/pattern.ts';

/** Cost of a schema, of each value in it, and the number of characters that cost one unit more; see {@link CompileBudget}. */
const SCHEMA_WORK = 30;
const VALUE_WORK = 4;
const CHARACTERS_OF_ONE = 128;
/** Time limits, for cases in which the estimate is too low. */
const COMPILE_MS = 1000;
const CHECK_MS = 500;
/** All mistakes are looked for, which may be as many as values in the arguments times values in the schema, within these limits alone. */
const ALL_MISTAKES = { work: 3_000, characters: 10_000, ms: 50, told: 20 };
/** Keywords whose cost is not bounded by the size of schema and arguments, or only by a product of them that is too large. */
const costly = /"(?:\$ref|\$dynamicRef|\$recursiveRef|uniqueItems|pattern|patternProperties)"/;

/** Says what is wrong with the arguments, in words that a model can act on; undefined when they fit. */
export type ArgumentCheck = (args: unknown) => string | undefined;
export interface ArgumentSchema {
  readonly check: ArgumentCheck;
  /** Cost of compiling it, and roughly the memory that it takes. */
  readonly work: number;
}

/** A cache, oldest first: providers register the same tools again at every rebind, reconnect and update. */
const compiled = new Map<string, ArgumentSchema>();
let compiledLength = 0;
let compiledWork = 0;
const MAX_COMPILED = 1000;
/** Characters of all schemas. */
const MAX_COMPILED_LENGTH = 4 * 1024 * 1024;
const MAX_COMPILED_WORK = 10 * Limit.compileWork;

const options = { strict: false, validateFormats: false, logger: false } as const;
/** The meta-schemas by draft. Schemas of providers are never added to these instances, because they could take another's `$id`. */
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
  // The optimizer takes time quadratic in the size of the schema, and its result is no faster.
  code: { regExp, optimize: false },
} as const;

/**
 * Returns one schema for each tool. Throws a {@link ProviderError} that names the tool whose parameters are not a usable JSON Schema, or
 * when those that are not cached cost too much.
 */
export function compileArguments(tools: readonly Pick<ToolDefinition, 'name' | 'parameters'>[], budget: CompileBudget): ArgumentSchema[] {
  const texts = tools.map(({ parameters }) => JSON.stringify(parameters));
  const schemas = new Map<string, ArgumentSchema>();
  const unknown = new Map<string, { name: string; parameters: Record<string, unknown>; work: number }>();
  for (const [at, { name, parameters }] of tools.entries()) {
    const text = texts[at] as string;
    const known = compiled.get(text);
    if (known) schemas.set(text, known);
    else if (!unknown.has(text)) unknown.set(text, { name, parameters, work: schemaWork(name, parameters, text) });
  }
  budget.spend([...unknown.values()].reduce((sum, { work }) => sum + work, 0));
  for (const [text, { name, parameters, work }] of unknown) {
    const schema = { check: compile(name, parameters, text, work), work };
    keep(text, schema);
    schemas.set(text, schema);
  }
  return texts.map((text) => schemas.get(text) as ArgumentSchema);
}

function keep(text: string, schema: ArgumentSchema): void {
  compiled.set(text, schema);
  compiledLength += text.length;
  compiledWork += schema.work;
  for (const [oldest, { work }] of compiled) {
    if (compiled.size <= MAX_COMPILED && compiledLength <= MAX_COMPILED_LENGTH && compiledWork <= MAX_COMPILED_WORK) break;
    compiled.delete(oldest);
    compiledLength -= oldest.length;
    compiledWork -= work;
  }
}

/** Estimated from the schema alone; stops counting at the limit. */
function schemaWork(tool: string, parameters: Record<string, unknown>, text: string): number {
  let work = SCHEMA_WORK + Math.ceil(text.length / CHARACTERS_OF_ONE);
  const count = (value: unknown, keyword: string) => {
    work += VALUE_WORK;
    if (typeof value === 'string' && keyword === 'pattern') work += patternWork(value);
    if (work > Limit.compileWork)
      throw new ProviderError(
        ErrorCode.PayloadTooLarge,
        `tool ${JSON.stringify(tool)}: parameters: the schema is too large to be compiled`,
      );
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (keyword === 'patternProperties') work += patternWork(key);
      count(part, key);
    }
  };
  count(parameters, '');
  return work;
}

function compile(tool: string, { $schema, ...schema }: Record<string, unknown>, text: string, work: number): ArgumentCheck {
  if (!Object.keys(schema).length) return () => undefined;
  const refuse = (why: string) => new ProviderError(ErrorCode.InvalidJson, `tool ${JSON.stringify(tool)}: parameters: ${why}`);
  if ('$async' in schema) throw refuse('$async is not JSON Schema');
  const draft = /\/(?:2019-09|2020-12)\//.test(String($schema)) ? draft2020 : draft7;
  // The first check compiles the meta-schema. That is ours, and a time limit that hits it on a busy machine would leave Ajv unusable for all others.
  draft.meta.validateSchema({});
  let validate: ValidateFunction;
  try {
    validate = bounded(() => {
      if (!draft.meta.validateSchema(schema)) throw new Error(draft.meta.errorsText());
      return new draft.Ajv(compilerOptions).compile(schema);
    }, COMPILE_MS);
  } catch (error) {
    throw refuse(messageOf(error).slice(0, 300));
  }
  // Compiled once it is needed: most calls are right.
  let thorough: ValidateFunction | undefined;
  const mistakes = (args: unknown): string => {
    const first = describe(validate.errors?.[0]);
    if (work > ALL_MISTAKES.work || isLongerThan(args, ALL_MISTAKES.characters)) return `${first}; there may be more`;
    try {
      return bounded(() => {
        thorough ??= new draft.Ajv({ ...compilerOptions, allErrors: true }).compile(schema);
        thorough(args);
        return describeAll(thorough.errors ?? []);
      }, ALL_MISTAKES.ms);
    } catch {
      return `${first}; there may be more`;
    }
  };
  const isCostly = costly.test(text);
  return (args) => {
    try {
      return (isCostly ? bounded(() => validate(args), CHECK_MS) : validate(args)) ? undefined : mistakes(args);
    } catch (error) {
      return `they could not be checked: ${messageOf(error)}`;
    }
  };
}

function isLongerThan(args: unknown, limit: number): boolean {
  return (JSON.stringify(args) ?? '').length > limit;
}

function describeAll(errors: readonly ErrorObject[]): string {
  const told = [...new Set(errors.slice(0, 1_000).map(describe))];
  const more = told.length - ALL_MISTAKES.told;
  return [...told.slice(0, ALL_MISTAKES.told), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function describe(error: ErrorObject | undefined): string {
  if (!error) return 'they do not fit the schema of the tool';
  const where = error.instancePath.slice(1).replaceAll('/', '.');
  const allowed = error.keyword === 'enum' ? `: ${JSON.stringify(error.params.allowedValues)}` : '';
  const extra = error.keyword === 'additionalProperties' ? `: ${JSON.stringify(error.params.additionalProperty)}` : '';
  return `${where ? `${where} ` : ''}${error.message ?? 'does not fit'}${allowed}${extra}`;
}
