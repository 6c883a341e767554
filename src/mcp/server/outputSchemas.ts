/**
 * What providers promise about their results. A client that has been told a schema takes no result that does not fit it, so only schemas are
 * told that can be checked here as the official client checks them.
 */
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { dropOldest } from '../../base/dropOldest.ts';
import { messageOf } from '../../base/errors.ts';
import { bounded, isOutOfTime } from '../../base/node/bounded.ts';
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';
import { printable } from '../printable.ts';
import { quietValidator } from '../quietValidator.ts';

/** Of one schema. An ordinary one takes a few milliseconds. */
const COMPILE_MS = 100;
/** Of all schemas together, in a while: nobody else is answered meanwhile. */
const BUDGET_MS = 500;
const BUDGET_EVERY_MS = 10_000;
const CHECK_MS = 500;
const MAX_KEPT = 1_000;

/** Says why a value does not fit; undefined when it does. */
export type OutputCheck = (structured: unknown) => string | undefined;

export class OutputSchemas {
  /** By schema as JSON, oldest first. Undefined for one that cannot be used. */
  readonly #checks = new Map<string, OutputCheck | undefined>();
  #budgetSince = -Infinity;
  #spent = 0;

  /** Undefined for a tool that promises nothing, nothing that a client could check, or what there is no time to look at now. */
  checkOf({ outputSchema }: OfferedTool): OutputCheck | undefined {
    if (outputSchema?.type !== 'object' || '$async' in outputSchema) return undefined;
    const key = JSON.stringify(outputSchema);
    if (this.#checks.has(key)) return this.#checks.get(key);
    const check = this.#compile(outputSchema);
    if (check === 'later') return undefined;
    this.#checks.set(key, check);
    dropOldest(this.#checks, MAX_KEPT);
    return check;
  }

  #compile(schema: object): OutputCheck | undefined | 'later' {
    const now = performance.now();
    if (now - this.#budgetSince >= BUDGET_EVERY_MS) {
      this.#budgetSince = now;
      this.#spent = 0;
    }
    if (this.#spent >= BUDGET_MS) return 'later';
    // Clients read it by this schema, which takes less than Ajv does.
    if (!ToolSchema.shape.outputSchema.safeParse(schema).success) return undefined;
    try {
      return compile(schema);
    } catch (error) {
      // A busy machine is no fault of the schema.
      return isOutOfTime(error) ? 'later' : undefined;
    } finally {
      this.#spent += performance.now() - now;
    }
  }
}

/** Throws for a schema that Ajv cannot compile, or not in time. */
function compile(schema: object): OutputCheck {
  // One for each: a schema must not take the place of another with its `$id`.
  const validate = bounded(() => quietValidator().getValidator(schema), COMPILE_MS);
  return (structured) => {
    try {
      const { valid, errorMessage } = bounded(() => validate(structured), CHECK_MS);
      return valid ? undefined : printable(errorMessage);
    } catch (error) {
      return `it could not be checked: ${printable(messageOf(error))}`;
    }
  };
}
