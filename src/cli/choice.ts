import { createInterface } from 'node:readline/promises';

/** Asks in the terminal. No is what Enter means. Undefined: no answer, because the input has ended. Rejects at Ctrl+C. */
export async function choice(question: string, signal: AbortSignal): Promise<boolean | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  // In a raw terminal Ctrl+C is a key.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    for (;;) {
      const said = (await terminal.question(question, { signal: AbortSignal.any([signal, ended.signal]) })).trim().toLowerCase();
      if (['y', 'yes'].includes(said)) return true;
      if (['', 'n', 'no'].includes(said)) return false;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (ended.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}
