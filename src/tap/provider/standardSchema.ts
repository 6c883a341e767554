/**
 * The part of Standard Schema that the SDK uses, so that it works with zod, Valibot, ArkType and others and depends on none:
 * https://standardschema.dev
 */
import { englishOf } from '../../base/errors.ts';

export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Of newer libraries: https://standardschema.dev/json-schema */
    readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> } | undefined;
  };
}
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

const MAX_ISSUES = 20;

/** ArkType's schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value;
}

/** What a caller writes, as JSON Schema. Undefined where the library does not offer it; throws for a type that has none. */
export function jsonSchemaOf({ '~standard': { jsonSchema } }: StandardSchema): Record<string, unknown> | undefined {
  return jsonSchema?.input({ target: 'draft-2020-12' });
}

/** The value as the schema makes it, or all that is wrong with it. */
export async function checked<Output>(schema: StandardSchema<Output>, value: unknown): Promise<{ value: Output } | { wrong: string }> {
  let result: StandardResult<Output>;
  try {
    result = await schema['~standard'].validate(value);
  } catch (error) {
    return { wrong: englishOf(error) };
  }
  if (!result.issues) return { value: result.value };
  const { issues } = result;
  const more = issues.length - MAX_ISSUES;
  return { wrong: issues.slice(0, MAX_ISSUES).map(issueText).join('; ') + (more > 0 ? `; and ${more} more` : '') };
}

function issueText({ message, path = [] }: StandardIssue): string {
  const at = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return at ? `${at}: ${message}` : message;
}
