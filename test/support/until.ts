import { withTimeout } from '../../src/base/errors.ts';

export const WAIT_MS = 30_000;

/** An event of ours, or of VS Code. */
type AnyEvent = (listener: () => void) => { dispose(): void };

/** Resolves with the first value of `condition` that is neither undefined nor false. It is called at once and at each event. */
export async function until<T>(what: string, event: AnyEvent, condition: () => T | undefined | false, timeoutMs = WAIT_MS): Promise<T> {
  let listening: { dispose(): void } | undefined;
  const found = new Promise<T>((resolve, reject) => {
    const look = () => {
      try {
        const value = condition();
        if (value !== undefined && value !== false) resolve(value);
      } catch (error) {
        reject(error);
      }
    };
    listening = event(look);
    look();
  });
  return withTimeout(found, timeoutMs, what).finally(() => listening?.dispose());
}
