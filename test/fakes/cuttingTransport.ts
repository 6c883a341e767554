import type { Words } from '../../src/base/text/phrase.ts';
import { Emitter } from '../../src/base/event.ts';
import type { Transport, TransportFactory } from '../../src/ahp/client/transport.ts';

export type Direction = 'c2s' | 's2c';

/** Forwards frames and counts them over all its connections. Ends the newest connection before the frame with the number `cutBefore`, before the first of which it is true, or when told. */
export class CuttingTransport {
  /** Frames that have passed, by direction, in order. */
  readonly passed: Direction[] = [];
  isCut = false;
  #next: Direction | undefined;
  #end: () => void = () => undefined;

  constructor(
    private readonly inner: TransportFactory,
    private readonly cutBefore: number | ((text: string) => boolean) = Infinity,
    /** Called when the line ends, before the client hears of it. */
    private readonly onCut: () => void = () => undefined,
  ) {}

  /** Ends the line now. */
  cut(): void {
    this.#end();
  }

  /** Ends the line instead of passing the next frame of this direction. */
  cutBeforeNext(direction: Direction): void {
    this.#next = direction;
  }

  readonly open: TransportFactory = async (url, signal) => {
    const line = await this.inner(url, signal);
    const message = new Emitter<string>();
    const closed = new Emitter<{ code: number; reason: Words }>();
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      line.close();
      this.onCut();
      closed.fire({ code: 1006, reason: '' });
    };
    this.#end = end;
    /** True when the frame may go through. */
    const pass = (direction: Direction, text: string): boolean => {
      if (!isOpen) return false;
      const { cutBefore } = this;
      const isDue = !this.isCut && (typeof cutBefore === 'number' ? this.passed.length >= cutBefore : cutBefore(text));
      if (!isDue && this.#next !== direction) {
        this.passed.push(direction);
        return true;
      }
      this.isCut = true;
      this.#next = undefined;
      end();
      return false;
    };
    line.onMessage((text) => {
      if (pass('s2c', text)) message.fire(text);
    });
    line.onClose((close) => {
      if (!isOpen) return;
      isOpen = false;
      closed.fire(close);
    });
    const transport: Transport = {
      send: (text) => {
        if (pass('c2s', text)) line.send(text);
      },
      close: (code, reason) => {
        isOpen = false;
        line.close(code, reason);
      },
      onMessage: message.event,
      onClose: closed.event,
    };
    return transport;
  };
}
