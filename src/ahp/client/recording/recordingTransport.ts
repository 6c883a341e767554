import { english } from '../../../base/text/phrase.ts';
import type { WireDirection, WireLogWriter } from './wireLogWriter.ts';
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
    let written: { writer: WireLogWriter; conn: number } | undefined;
    /** The current log with the number of this connection in it. A log that was started later gets one with the next frame. */
    const log = () => {
      const current = target();
      if (!current) return undefined;
      const { writer, host } = current;
      if (written?.writer !== writer) written = { writer, conn: writer.open(host) };
      return written;
    };
    // Called for every frame, mostly without a log.
    const record = (dir: WireDirection, text: string) => {
      const to = log();
      to?.writer.frame(to.conn, dir, text);
    };
    connection.onMessage((text) => record('s2c', text));
    connection.onClose(({ code, reason }) => {
      const to = log();
      to?.writer.close(to.conn, code, english(reason));
    });
    const recorded: Transport = {
      send: (text) => {
        record('c2s', text);
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
