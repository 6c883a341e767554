/** A tool together with what it does. */
import type { ProviderTool, ToolContext, ToolInput } from './providerApi.ts';
import { ToolError } from './providerErrors.ts';
import { checked, isStandardSchema, jsonSchemaOf, type OutputOf, type StandardSchema } from './standardSchema.ts';
import { englishOf } from '../../base/errors.ts';
import { CallErrorCode } from '../wire/errorCodes.ts';

/** A tool that answers its calls itself. Its other fields are what the gateway is told. */
export type Tool = ProviderTool & Required<Pick<ProviderTool, 'run'>>;

export type JsonSchema = Record<string, unknown>;
export type ToolSchema = StandardSchema | JsonSchema;
/** What `run` gets: the output of a Standard Schema, else any object. */
export type ArgumentsOf<S extends ToolSchema> = S extends StandardSchema ? OutputOf<S> : Record<string, unknown>;

export interface ToolOptions<S extends ToolSchema> extends Omit<ToolInput, 'parameters'> {
  /** A Standard Schema, such as zod’s, or JSON Schema. The default allows any arguments. */
  input?: S;
  /** JSON Schema, for a Standard Schema that cannot be written as one by its library. Without `input` it is the schema. */
  parameters?: JsonSchema;
  /** Answers a call with JSON, with parts such as `text()`, or with several of them. Undefined counts as null. */
  run(args: ArgumentsOf<S>, context: ToolContext): unknown;
}

/** Throws a TypeError where the schema cannot be told to the gateway. */
export function tool<S extends ToolSchema = JsonSchema>({ input, parameters, run, ...told }: ToolOptions<S>): Tool {
  const schema = isStandardSchema(input) ? input : undefined;
  return {
    ...told,
    parameters: parameters ?? (schema ? parametersOf(told.name, schema) : (input as JsonSchema | undefined)),
    async run(args, context) {
      if (!schema) return run(args as ArgumentsOf<S>, context);
      const result = await checked(schema, args);
      if ('wrong' in result)
        throw new ToolError(CallErrorCode.InvalidArguments, `The arguments do not fit the tool's parameters: ${result.wrong}`);
      return run(result.value as ArgumentsOf<S>, context);
    },
  };
}

function parametersOf(name: string, schema: StandardSchema): JsonSchema {
  const wrong = (why: string) =>
    new TypeError(`tool ${JSON.stringify(name)}: ${why}. Give the JSON Schema of its arguments as \`parameters\`, beside \`input\`.`);
  let found: JsonSchema | undefined;
  try {
    found = jsonSchemaOf(schema);
  } catch (error) {
    throw wrong(`its input has no JSON Schema: ${englishOf(error)}`);
  }
  if (!found) throw wrong(`this version of ${schema['~standard'].vendor} does not write JSON Schema by itself`);
  if (found.type !== undefined && found.type !== 'object') throw wrong('the arguments of a tool are an object');
  return found;
}
