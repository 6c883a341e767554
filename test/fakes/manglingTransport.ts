import { Emitter } from '../../src/base/event.ts';
import type { TransportFactory } from '../../src/ahp/client/transport.ts';

export interface HostFrame {
  readonly text: string;
  readonly message: { id?: unknown; method?: string; params?: { action?: { type: string }; serverSeq?: number }; result?: object | null };
}

/** Lets a test decide when, how often and in which order the host's frames arrive: `mangle` gets each, and what to call to deliver one. */
export function manglingTransport(
  inner: TransportFactory,
  mangle: (frame: HostFrame, deliver: (frame: HostFrame) => void) => void,
): TransportFactory {
  return async (url, signal) => {
    const line = await inner(url, signal);
    const message = new Emitter<string>();
    line.onMessage((text) => mangle({ text, message: JSON.parse(text) as HostFrame['message'] }, (frame) => message.fire(frame.text)));
    return {
      send: (text) => line.send(text),
      close: (code, reason) => line.close(code, reason),
      onMessage: message.event,
      onClose: line.onClose,
    };
  };
}
