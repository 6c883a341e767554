/**
 * A lent call without anybody who does something for it: as many frames, of about the size, through as many processes. The host and the gateway
 * are relays, and the window reads nothing.
 */
import { WebSocket } from 'ws';
import type { Middle } from './gatewayMiddle.ts';
import { medianOf } from './measure.ts';
import { startChild } from './startChild.ts';

/** Characters of the frames from the window to a relay and on to the window. */
const CALL_BEGINS = 1_000;
const CALL = 800;
const RESULT = 150;

async function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

/** Resolves when what is sent by one has come to the other. */
function pass(from: WebSocket, to: WebSocket, text: string): Promise<unknown> {
  const come = new Promise((resolve) => to.once('message', resolve));
  from.send(text);
  return come;
}

/** Milliseconds of the one in the middle of so many: the least of several rounds, of which the first warms up. */
export async function relayedCall(count: number, rounds = 6): Promise<number> {
  const relays = await Promise.all([0, 1].map(() => startChild<Middle>('gatewayMiddle.ts', 'relay')));
  const lines = await Promise.all(relays.map(({ said: { url, path } }) => Promise.all([open(`${url}${path}`), open(url)])));
  const [[toHost, ofHost], [owner, provider]] = lines as [[WebSocket, WebSocket], [WebSocket, WebSocket]];
  const [begins, call, result] = [CALL_BEGINS, CALL, RESULT].map((length) => 'x'.repeat(length)) as [string, string, string];
  const once = async () => {
    await pass(toHost, ofHost, begins);
    await pass(owner, provider, call);
    await pass(provider, owner, result);
  };
  let best = Infinity;
  for (let round = 0; round < rounds; round++) best = Math.min(best, await medianOf(count, once));
  for (const socket of lines.flat()) socket.terminate();
  await Promise.all(relays.map((relay) => relay.stop()));
  return best;
}
