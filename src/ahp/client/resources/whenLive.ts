import { withTimeout } from '../../../base/errors.ts';
import type { ResourceState } from '../../v1/commands.ts';
import type { Subscription } from './subscription.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

/** Resolves with the state once the subscription is live; rejects when the host gives none, or with a `TimeoutError`. */
export async function whenLive<S extends ResourceState>(subscription: Subscription<S>, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<S> {
  let stop = () => undefined as void;
  const live = new Promise<S>((resolve, reject) => {
    const look = () => {
      const { status, state } = subscription;
      if (status.kind === 'live' && state) resolve(state);
      else if (status.kind === 'failed') reject(new Error(`${subscription.uri}: ${status.error.message}`));
      else if (status.kind === 'removed') reject(new Error(`${subscription.uri}: the host has removed it`));
    };
    const listening = subscription.onDidChange(look);
    stop = () => listening.dispose();
    look();
  });
  try {
    return await withTimeout(live, timeoutMs, `the state of ${subscription.uri}`);
  } finally {
    stop();
  }
}
