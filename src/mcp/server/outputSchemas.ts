/**
 * What providers promise about their results. A client that has been told a schema takes no result that does not fit it, so only schemas are
 * told that can be checked here as the official client checks them.
 */
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../base/clock.ts';
import { dropOldest } from '../../base/dropOldest.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { bounded, isOutOfTime } from '../../base/node/bounded.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { printable } from '../printable.ts';
import { quietValidator } from '../quietValidator.ts';

/** Of one schema. An ordinary one takes a few milliseconds. */
const COMPILE_MS = 100;
/** Of all schemas together, in a while: nobody else is answered meanwhile. */
const BUDGET_MS = 500;
const BUDGET_EVERY_MS = 10_000;
const CHECK_MS = 500;
/** A schema that was not compiled in its time so often is left out for good. */
const MAX_TRIES = 3;
const MAX_KEPT = 1_000;

/** Says why a value does not fit; undefined when it does. */
export type OutputCheck = (structured: unknown) => string | undefined;

export interface OutputSchemasOptions {
  clock: Clock;
  /** Of a tool whose schema is not told, once for each reason. */
  onLeftOut(tool: OfferedTool, why: string): void;
  compileMs?: number;
  budgetMs?: number;
}

/** Without `check` there is none for good. `tries`: how often its time was not enough. */
interface Known {
  check?: OutputCheck;
  tries?: number;
}

export class OutputSchemas implements Disposable {
  /** By schema as JSON, oldest first. */
  readonly #known = new Map<string, Known>();
  readonly #said = new Set<string>();
  /** Since the first schema of this while was compiled. Undefined: none was. */
  #while: Disposable | undefined;
  #spent = 0;
  /** Some schema was left out for lack of time. */
  #isBehind = false;
  readonly #didGetTime = new Emitter<void>();
  /** There is time again for what was left out. */
  readonly onDidGetTime: Event<void> = this.#didGetTime.event;

  constructor(private readonly options: OutputSchemasOptions) {}

  dispose(): void {
    this.#while?.dispose();
    this.#didGetTime.dispose();
  }

  /** Undefined for a tool that promises nothing, nothing that a client could check, or what there is no time to look at now. */
  checkOf(tool: OfferedTool): OutputCheck | undefined {
    const { outputSchema } = tool;
    if (outputSchema === undefined) return undefined;
    const key = JSON.stringify(outputSchema);
    const before = this.#known.get(key);
    if (before && (before.tries ?? MAX_TRIES) >= MAX_TRIES) return before.check;
    const known = this.#look(outputSchema, before?.tries ?? 0);
    if (known.tries === undefined && !known.check) this.#leftOut(tool, 'clients could not check its results');
    else if (known.tries === MAX_TRIES) this.#leftOut(tool, 'it takes too long to be read');
    else if (known.tries !== undefined && !before) this.#leftOut(tool, 'there is no time to read it now, so it is listed later');
    this.#known.set(key, known);
    dropOldest(this.#known, MAX_KEPT);
    return known.check;
  }

  #leftOut(tool: OfferedTool, why: string): void {
    const key = JSON.stringify([tool.provider, tool.name, why]);
    if (this.#said.has(key)) return;
    this.options.onLeftOut(tool, why);
    dropOldest(this.#said.add(key), MAX_KEPT);
  }

  #look(schema: Record<string, unknown>, tries: number): Known {
    const { clock, compileMs = COMPILE_MS, budgetMs = BUDGET_MS } = this.options;
    this.#while ??= clock.setTimer(() => this.#again(), BUDGET_EVERY_MS);
    if (this.#spent >= budgetMs) {
      this.#isBehind = true;
      return { tries };
    }
    const began = performance.now();
    try {
      // Clients read it by this schema, which takes less than Ajv does.
      if ('$async' in schema || !ToolSchema.shape.outputSchema.safeParse(schema).success) return {};
      return { check: compile(schema, compileMs) };
    } catch (error) {
      // A busy machine is no fault of the schema.
      if (!isOutOfTime(error)) return {};
      this.#isBehind ||= tries + 1 < MAX_TRIES;
      return { tries: tries + 1 };
    } finally {
      this.#spent += performance.now() - began;
    }
  }

  #again(): void {
    const wasBehind = this.#isBehind;
    this.#while = undefined;
    this.#spent = 0;
    this.#isBehind = false;
    if (wasBehind) this.#didGetTime.fire();
  }
}

/** Throws for a schema that Ajv cannot compile, or not in time. */
function compile(schema: object, ms: number): OutputCheck {
  // One for each: a schema must not take the place of another with its `$id`.
  const validate = bounded(() => quietValidator().getValidator(schema), ms);
  return (structured) => {
    try {
      const { valid, errorMessage } = bounded(() => validate(structured), CHECK_MS);
      return valid ? undefined : printable(errorMessage);
    } catch (error) {
      return `it could not be checked: ${printable(messageOf(error))}`;
    }
  };
}
