import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';

interface Owned {
  readonly ownerCount: number;
  readonly onDidChangeOwners: Event<void>;
}

/** Calls `end` once there has been no session owner for `graceMs`, also when there never was one. */
export function endWithoutOwners(server: Owned, clock: Clock, graceMs: number, end: () => void): void {
  let timer: Disposable | undefined;
  const update = () => {
    if (server.ownerCount > 0) {
      timer?.dispose();
      timer = undefined;
    } else {
      timer ??= clock.setTimer(end, graceMs);
    }
  };
  server.onDidChangeOwners(update);
  update();
}
