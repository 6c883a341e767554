/**
 * What providers promise about their results. A client that has been told a schema takes no result that does not fit it, so only schemas are
 * told that can be checked here as the official client checks them.
 */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { messageOf } from '../../base/errors.ts';
import { bounded } from '../../base/node/bounded.ts';
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';
import { printable } from '../printable.ts';

/** More than two seconds of compiling for 20 tools at worst; an ordinary schema takes a few milliseconds. */
const COMPILE_MS = 100;
const CHECK_MS = 500;
const MAX_KEPT = 1_000;

/** Says why a value does not fit; undefined when it does. */
export type OutputCheck = (structured: unknown) => string | undefined;

export class OutputSchemas {
  /** By schema as JSON, oldest first. Undefined for one that cannot be used. */
  readonly #checks = new Map<string, OutputCheck | undefined>();

  /** Undefined for a tool that promises nothing, or nothing that can be checked. */
  checkOf({ outputSchema }: OfferedTool): OutputCheck | undefined {
    if (outputSchema?.type !== 'object' || '$async' in outputSchema) return undefined;
    const key = JSON.stringify(outputSchema);
    if (this.#checks.has(key)) return this.#checks.get(key);
    const check = compile(outputSchema);
    this.#checks.set(key, check);
    for (const oldest of this.#checks.keys()) {
      if (this.#checks.size <= MAX_KEPT) break;
      this.#checks.delete(oldest);
    }
    return check;
  }
}

function compile(schema: object): OutputCheck | undefined {
  try {
    // One for each: a schema must not take the place of another with its `$id`.
    const validate = bounded(() => new AjvJsonSchemaValidator().getValidator(schema), COMPILE_MS);
    return (structured) => {
      try {
        const { valid, errorMessage } = bounded(() => validate(structured), CHECK_MS);
        return valid ? undefined : printable(errorMessage);
      } catch (error) {
        return `it could not be checked: ${printable(messageOf(error))}`;
      }
    };
  } catch {
    return undefined;
  }
}
