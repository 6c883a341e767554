import type { WireLogWriter } from './wireLog.ts';
import type { Transport, TransportFactory } from '../transport.ts';

export interface WireLogTarget {
  readonly writer: WireLogWriter;
  /** How the user calls the host. */
  readonly host: string;
}

/** The same lines, with every frame also written to the log of the moment, if there is one. */
export function recordingTransport(inner: TransportFactory, target: () => WireLogTarget | undefined): TransportFactory {
  return async (url, signal) => {
    const line = await inner(url, signal);
    let written: { to: WireLogWriter; conn: number } | undefined;
    /** This line in the log of the moment; a log that began after the line gets to know it with its next frame. */
    const record = (write: (writer: WireLogWriter, conn: number) => void) => {
      const { writer, host } = target() ?? {};
      if (!writer || host === undefined) return;
      if (written?.to !== writer) written = { to: writer, conn: writer.open(host) };
      write(writer, written.conn);
    };
    line.onMessage((text) => record((writer, conn) => writer.frame(conn, 's2c', text)));
    line.onClose(({ code, reason }) => record((writer, conn) => writer.close(conn, code, reason)));
    const recorded: Transport = {
      send: (text) => {
        record((writer, conn) => writer.frame(conn, 'c2s', text));
        line.send(text);
      },
      close: (code, reason) => line.close(code, reason),
      ...(line.ping && { ping: () => line.ping?.() }),
      ...(line.pause && { pause: () => line.pause?.() }),
      ...(line.resume && { resume: () => line.resume?.() }),
      onMessage: line.onMessage,
      onClose: line.onClose,
      ...(line.onPong && { onPong: line.onPong }),
      get bufferedAmount() {
        return line.bufferedAmount;
      },
    };
    return recorded;
  };
}
