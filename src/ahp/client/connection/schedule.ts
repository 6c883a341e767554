/** Runs `callback` in the next tick of the event loop, after what has already arrived was handled. */
export type Schedule = (callback: () => void) => void;

/** `setImmediate` where it exists; in browsers a message port, because timers are slowed down there. */
export const defaultSchedule: Schedule = (() => {
  if (typeof setImmediate === 'function') return (callback) => void setImmediate(callback);
  const callbacks: (() => void)[] = [];
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => callbacks.shift()?.();
  return (callback) => {
    callbacks.push(callback);
    port2.postMessage(null);
  };
})();
