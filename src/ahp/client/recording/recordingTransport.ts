import { english } from '../../../base/text/phrase.ts';
import type { WireLogWriter } from './wireLogWriter.ts';
import type { Transport, TransportFactory } from '../transport.ts';

export interface WireLogTarget {
  readonly writer: WireLogWriter;
  /** The user's name for the host. */
  readonly host: string;
}

/** Opens the same connections, and writes every frame to the current log, if there is one. */
export function recordingTransport(inner: TransportFactory, target: () => WireLogTarget | undefined): TransportFactory {
  return async (url, signal) => {
    const connection = await inner(url, signal);
    let written: { to: WireLogWriter; conn: number } | undefined;
    /** The number of this connection in the current log. A log that was started later gets one with the next frame. */
    const record = (write: (writer: WireLogWriter, conn: number) => void) => {
      const { writer, host } = target() ?? {};
      if (!writer || host === undefined) return;
      if (written?.to !== writer) written = { to: writer, conn: writer.open(host) };
      write(writer, written.conn);
    };
    connection.onMessage((text) => record((writer, conn) => writer.frame(conn, 's2c', text)));
    connection.onClose(({ code, reason }) => record((writer, conn) => writer.close(conn, code, english(reason))));
    const recorded: Transport = {
      send: (text) => {
        record((writer, conn) => writer.frame(conn, 'c2s', text));
        connection.send(text);
      },
      close: (code, reason) => connection.close(code, reason),
      ...(connection.ping && { ping: () => connection.ping?.() }),
      ...(connection.pause && { pause: () => connection.pause?.() }),
      ...(connection.resume && { resume: () => connection.resume?.() }),
      onMessage: connection.onMessage,
      onClose: connection.onClose,
      ...(connection.onPong && { onPong: connection.onPong }),
    };
    return recorded;
  };
}
