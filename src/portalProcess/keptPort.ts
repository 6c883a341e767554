/** The port that a portal had last time, so that its address stays the same where no port was asked for. */
import { readFileSync } from 'node:fs';
import { englishOf } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { isThere, replaceFile } from '../base/node/wholeFile.ts';

/** Listens at `port`; where that is 0, at the one in the file if it is free, else at any free one. The file has the port after that. */
export async function listenAgain<S extends { port: number }>(
  port: number,
  file: string,
  logger: Logger,
  listen: (port: number) => Promise<S>,
): Promise<S> {
  const last = port === 0 ? keptPort(file, logger) : undefined;
  const server = last === undefined ? await listen(port) : await listenAt(last, logger, listen);
  if (server.port !== last) {
    try {
      replaceFile(file, Buffer.from(`${server.port}\n`), { sync: false });
    } catch (error) {
      logger.warn(`The port could not be kept in ${file}, so the next one may differ: ${englishOf(error)}`);
    }
  }
  return server;
}

async function listenAt<S>(last: number, logger: Logger, listen: (port: number) => Promise<S>): Promise<S> {
  try {
    const server = await listen(last);
    logger.info(`Port ${last} is that of last time.`);
    return server;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    logger.warn(`Port ${last}, that of last time, is in use by another program. Tabs, bookmarks and scripts need the new address.`);
    return listen(0);
  }
}

function keptPort(file: string, logger: Logger): number | undefined {
  if (!isThere(file)) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port > 0 && port <= 65_535) return port;
  logger.warn(`${file} has no port in it, so a free one is taken.`);
  return undefined;
}
