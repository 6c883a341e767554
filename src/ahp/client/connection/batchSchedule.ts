/** Runs `callback` in the next tick of the event loop, after everything that has arrived already. */
export type Schedule = (callback: () => void) => void;

/** `setImmediate` where it exists. In browsers it is a message port, because timers are throttled there. */
export const defaultSchedule: Schedule = (() => {
  const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => unknown };
  if (setImmediate) return (callback) => void setImmediate(callback);
  const callbacks: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => callbacks.shift()?.());
  port1.start();
  return (callback) => {
    callbacks.push(callback);
    port2.postMessage(null);
  };
})();
