/** A tool of the editor: its definition, and what it does. */
import * as z from 'zod';
import type { ToolInput } from '../../../tap/provider/providerApi.ts';
import { ToolError } from '../../../tap/provider/providerErrors.ts';
import { firstIssue } from '../../../tap/wire/parsing/firstIssue.ts';

/** Of one call. */
const TIMEOUT_MS = 30_000;

export interface EditorTool {
  /** As the gateway is told. */
  readonly definition: ToolInput;
  run(args: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}

interface Description<S extends z.ZodType> {
  name: string;
  description: string;
  input: S;
  /** It changes nothing, not even what the editor shows, and tells nothing but that and files of the window's folders. */
  isReadOnly: boolean;
  run(args: z.output<S>, signal: AbortSignal): unknown;
}

export function editorTool<S extends z.ZodType>({ name, description, input, isReadOnly, run }: Description<S>): EditorTool {
  return {
    definition: {
      name,
      description,
      parameters: z.toJSONSchema(input, { io: 'input' }) as Record<string, unknown>,
      timeout: TIMEOUT_MS,
      ...(isReadOnly && { annotations: { readOnlyHint: true } }),
    },
    async run(args, signal) {
      const parsed = input.safeParse(args);
      if (!parsed.success) throw new ToolError('INTERNAL', firstIssue(parsed.error));
      return run(parsed.data, signal);
    },
  };
}
