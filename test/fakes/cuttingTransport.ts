import { Emitter } from '../../src/base/event.ts';
import type { Transport, TransportFactory } from '../../src/ahp/client/transport.ts';

export type Direction = 'c2s' | 's2c';

/** Passes frames on and counts them, over all its lines; before the frame with the number `cutBefore` it ends the line instead, once. */
export class CuttingTransport {
  /** Frames that have passed, by direction, in order. */
  readonly passed: Direction[] = [];
  isCut = false;

  constructor(
    private readonly inner: TransportFactory,
    private readonly cutBefore = Infinity,
    /** Called when the line ends, before the client hears of it. */
    private readonly onCut: () => void = () => undefined,
  ) {}

  readonly open: TransportFactory = async (url, signal) => {
    const line = await this.inner(url, signal);
    const message = new Emitter<string>();
    const closed = new Emitter<{ code: number; reason: string }>();
    let isOpen = true;
    /** True when the frame may go through. */
    const pass = (direction: Direction): boolean => {
      if (!isOpen) return false;
      if (this.isCut || this.passed.length < this.cutBefore) {
        this.passed.push(direction);
        return true;
      }
      this.isCut = true;
      isOpen = false;
      line.close();
      this.onCut();
      closed.fire({ code: 1006, reason: '' });
      return false;
    };
    line.onMessage((text) => {
      if (pass('s2c')) message.fire(text);
    });
    line.onClose((close) => {
      if (!isOpen) return;
      isOpen = false;
      closed.fire(close);
    });
    const transport: Transport = {
      send: (text) => {
        if (pass('c2s')) line.send(text);
      },
      close: (code, reason) => {
        isOpen = false;
        line.close(code, reason);
      },
      onMessage: message.event,
      onClose: closed.event,
      bufferedAmount: 0,
    };
    return transport;
  };
}
