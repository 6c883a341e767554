import type { Clock } from '../clock.ts';
import type { Event } from '../event.ts';
import type { Disposable } from '../lifecycle.ts';

export interface Usage {
  isInUse(): boolean;
  readonly onDidChange: Event<void>;
}

/** Calls `end` when nobody has used it for `idleMs`, also when nobody ever has. */
export function endWhenIdle({ isInUse, onDidChange }: Usage, clock: Clock, idleMs: number, end: () => void): void {
  let timer: Disposable | undefined;
  const update = () => {
    if (isInUse()) {
      timer?.dispose();
      timer = undefined;
    } else {
      timer ??= clock.setTimer(end, idleMs);
    }
  };
  onDidChange(update);
  update();
}
