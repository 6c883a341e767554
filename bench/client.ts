/**
 * What the client needs from a received frame to the change event (parsing, checks, reducing, notifying), and whether that stays the same
 * however long the message, the turn and the session are.
 */
import { withTimeout } from '../src/base/errors.ts';
import { startChild } from './startChild.ts';

const WAIT_MS = 10 * 60_000;

export async function run(): Promise<void> {
  const { process } = await startChild('clientChild.ts');
  const ended = new Promise((resolve) => process.once('exit', resolve));
  const code = await withTimeout(ended, WAIT_MS, 'measuring the client');
  if (code !== 0) throw new Error(`the measurement of the client has ended with ${String(code)}`);
}
