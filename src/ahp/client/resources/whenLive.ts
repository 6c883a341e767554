import { withTimeout, WordedError } from '../../../base/errors.ts';
import { phrase } from '../../../base/text/phrase.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { Event } from '../../../base/event.ts';
import type { Subscription } from './subscription.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

/** A subscription, or a model. */
type Reader<S extends object> = Pick<Subscription<S, ActionLike>, 'uri' | 'state' | 'status'> & {
  readonly onDidChange: Event<unknown>;
};

/** Resolves with the state once the subscription is live; rejects when the host gives none, or with a `TimeoutError`. */
export async function whenLive<S extends object>(subscription: Reader<S>, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<S> {
  let stop = () => undefined as void;
  const live = new Promise<S>((resolve, reject) => {
    const look = () => {
      const { status, state } = subscription;
      if (status.kind === 'live' && state) resolve(state);
      else if (status.kind === 'failed')
        reject(
          new WordedError(phrase`The host does not give the state of ${subscription.uri}: ${status.error.words ?? status.error.message}`),
        );
      else if (status.kind === 'removed') reject(new WordedError(phrase`The host has removed ${subscription.uri}.`));
    };
    const listening = subscription.onDidChange(look);
    stop = () => listening.dispose();
    look();
  });
  try {
    return await withTimeout(live, timeoutMs, phrase`the state of ${subscription.uri}`);
  } finally {
    stop();
  }
}
