/** The host of a file, also where it is connected in a moment only. */
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';

/** A window that opens with a folder of a host reads it before its hosts are connected. */
const CONNECT_WAIT_MS = 10_000;

export interface ComingHosts<H> {
  get(id: string): H | undefined;
  /** A host that is not there may come. */
  readonly isListing: boolean;
  readonly onDidChange: Event<void>;
}

/** Undefined: it is not listed. */
export async function hostSoon<H extends { client: { state: { kind: string } } }>(
  hosts: ComingHosts<H>,
  id: string,
  clock: Clock,
): Promise<H | undefined> {
  const isOpening = () => {
    const host = hosts.get(id);
    return host ? host.client.state.kind === 'connecting' : hosts.isListing;
  };
  if (isOpening()) {
    await new Promise<void>((resolve) => {
      const done = () => {
        timer.dispose();
        listening.dispose();
        resolve();
      };
      const timer = clock.setTimer(done, CONNECT_WAIT_MS);
      const listening = hosts.onDidChange(() => !isOpening() && done());
    });
  }
  return hosts.get(id);
}
