/** What the fault tests compare: a client that has recovered from a fault, with a new one. */
import assert from 'node:assert/strict';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { Subscription } from '../../../src/ahp/client/resources/subscription.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { ResourceState } from '../../../src/ahp/v1/commands.ts';

/** The state as JSON carries it; `modifiedAt` is each side's own clock. */
export function comparable(state: ResourceState | undefined): unknown {
  const plain = JSON.parse(JSON.stringify(state ?? null)) as { summary?: { modifiedAt?: number } } | null;
  if (plain?.summary) delete plain.summary.modifiedAt;
  return plain;
}

export async function assertSameAsFresh(subscriptions: readonly Subscription[], connect: () => Promise<AgentHostClient>): Promise<void> {
  const fresh = await connect();
  try {
    for (const { uri, confirmed } of subscriptions) {
      assert.deepEqual(comparable(confirmed), comparable(await whenLive(fresh.subscribe(uri))), uri);
    }
  } finally {
    fresh.close();
  }
}

/** What a session was asked, in order, the queue last. */
export function promptsIn(state: ResourceState | undefined): string[] {
  if (!state || !('turns' in state)) return [];
  const { turns, activeTurn, queuedMessages = [] } = state;
  return [...turns, ...(activeTurn ? [activeTurn] : []), ...queuedMessages].map(({ userMessage }) => userMessage.text);
}
