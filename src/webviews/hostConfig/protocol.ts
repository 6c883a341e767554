/** The messages between the page of a host's settings and the extension. The extension posts lists of messages, the page one at a time. */
import * as z from 'zod/mini';
import type { ConfigSchema } from '../../ahp/channels/shapes/config.ts';
import { MAX_VALUE } from '../../views/configForm/configFields.ts';

/** All that is shown. Replaces what was sent before. */
export interface HostConfigMessage {
  type: 'config';
  /** The user's name for the host. */
  host: string;
  /** Absent: the host has none, or has not sent it yet. */
  config?: { schema: ConfigSchema; values: Record<string, unknown> };
  /** Why nothing can be changed now. */
  locked?: string;
  /** What became of a change. */
  outcome?: { id: string; change: number } & SetOutcome;
}

export interface SetOutcome {
  /** Why the host did not take it. */
  refusal?: string;
  /** The user was asked, and kept the setting as it was. */
  isDeclined?: boolean;
}

const hostConfigPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('set'),
    id: z.string(),
    value: z.json(),
    /** Counted by the page. */
    change: z.int(),
  }),
]);
export type HostConfigPageMessage = z.infer<typeof hostConfigPageMessage>;

/** Undefined for anything malformed, and for a value that no field of the form can hold. */
export function parseHostConfigMessage(value: unknown): HostConfigPageMessage | undefined {
  const message = hostConfigPageMessage.safeParse(value).data;
  return message?.type === 'set' && JSON.stringify(message.value).length > MAX_VALUE * 6 ? undefined : message;
}
