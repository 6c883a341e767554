/** A tool of the gateway's own provider, `tap`: one schema says what a model is told and what is checked. */
import * as z from 'zod';
import type { ToolHints } from '../../tap/wire/fields.ts';
import { firstIssue } from '../../tap/wire/parsing/firstIssue.ts';
import type { Gateway } from '../gateway.ts';
import type { Session } from '../sessions/session.ts';

/** A call of a tool, in the session of the model that has made it. */
export interface TapCall {
  readonly gateway: Gateway;
  readonly session: Session;
  /** Pushes to a stream of `tap`. Throws when that is refused. */
  post(stream: string | undefined, event: string, level: 'keep' | 'surface'): void;
  /** True only when the user says yes. */
  ask(question: string): Promise<boolean>;
}

export interface TapTool {
  readonly definition: { name: string; description: string; parameters: Record<string, unknown>; annotations?: ToolHints };
  /** Throws what the model is told. */
  run(args: unknown, call: TapCall): unknown;
}

/** What it does is not allowed to the model. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

export function tapTool<S extends z.ZodType>(
  about: { name: string; description: string; annotations?: ToolHints },
  schema: S,
  run: (args: z.output<S>, call: TapCall) => unknown,
): TapTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return {
    definition: { ...about, parameters },
    run: (args, call) => {
      const { data, error } = schema.safeParse(args);
      if (error) throw new Error(firstIssue(error));
      return run(data, call);
    },
  };
}
