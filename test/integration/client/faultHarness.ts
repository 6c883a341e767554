/** What the fault tests compare: a client that has recovered from a fault, with a new one. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { ResourceKind } from '../../../src/ahp/dialects/dialect.ts';
import { eventually } from '../../fakes/eventually.ts';

const SAME_MS = 5_000;

/** Of a host of either dialect. */
export type Reader = ResourceModel<ResourceKind>;

/** The state as JSON carries it; `modifiedAt` is each side's own clock. */
export function comparable(state: object | undefined): unknown {
  type Dated = { modifiedAt?: unknown };
  const plain = JSON.parse(JSON.stringify(state ?? null)) as (Dated & { summary?: Dated; chats?: Dated[] }) | null;
  for (const dated of [plain, plain?.summary, ...(plain?.chats ?? [])]) if (dated) delete dated.modifiedAt;
  return plain;
}

export async function assertSameAsFresh(
  readers: readonly Reader[],
  connect: () => Promise<AgentHostClient>,
  read: (client: AgentHostClient, uri: string) => Reader,
): Promise<void> {
  const fresh = await connect();
  try {
    for (const reader of readers) {
      const other = read(fresh, reader.uri);
      await whenLive<object>(other);
      const states = () => [reader, other].map(({ confirmed }) => comparable(confirmed));
      // A line that is cut with the last frame is back a moment later.
      const isSame = () => isDeepStrictEqual(...(states() as [unknown, unknown]));
      await eventually(isSame, 'the same state', SAME_MS).catch(() => assert.deepEqual(...(states() as [unknown, unknown]), reader.uri));
    }
  } finally {
    fresh.close();
  }
}

interface Prompt {
  message?: { text: string };
  /** In AHP v1. */
  userMessage?: { text: string };
}

/** What a session or a chat was asked, in order, the queue last. */
export function promptsIn(state: object | undefined): string[] {
  if (!state || !('turns' in state)) return [];
  const { turns, activeTurn, queuedMessages = [] } = state as { turns: Prompt[]; activeTurn?: Prompt; queuedMessages?: Prompt[] };
  return [...turns, ...(activeTurn ? [activeTurn] : []), ...queuedMessages].map(textOf);
}

/** Undefined for an action that starts no turn. */
export function promptOf(action: { type: string }): string | undefined {
  return /^(session|chat)\/turnStarted$/.test(action.type) ? textOf(action as Prompt) : undefined;
}

function textOf({ message, userMessage }: Prompt): string {
  return (message ?? userMessage)?.text ?? '';
}
