/**
 * A session owner as a process of its own, which tests kill: it has something watched, and prints what the gateway tells of it, a JSON line
 * each. Arguments: the gateway's script, its lock file, the folder of the session, the command.
 */
import { findOrStartDaemon } from '../../src/base/daemon/daemon.ts';
import { nullLogger } from '../../src/base/log.ts';
import { OwnerClient } from '../../src/tap/owner/ownerClient.ts';

const [script = '', lockFile = '', cwd = '', command = ''] = process.argv.slice(2);
const args = [script, '--daemon', '--lock-file', lockFile, '--port', '0', '--idle-seconds', '60'];
const spec = { name: 'gateway', lockFile, logFile: `${lockFile}.log`, args };
const client = new OwnerClient({
  name: 'window',
  key: 'k'.repeat(43),
  find: () => findOrStartDaemon(spec, nullLogger),
  logger: nullLogger,
});
const session = client.addSession({ sessionId: 'a', label: 'x', cwd });
const say = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

client.onEvent(({ event, params }) => {
  if (event === 'push/surfaced') say({ told: { ts: params.ts, event: params.event } });
});

/** The gateway may be gone at any moment, and what is asked again then. */
async function follow(): Promise<void> {
  const emitters = await session.emitters.list();
  if (emitters.length === 0 && process.env.FIRST) {
    await session.emitters.start({ name: 'e', command, runInterval: '1s', eventFilter: [{ match: '0$', outcome: 'surface' }] });
    say({ started: true });
  }
  const stream = (await session.streams(200)).find((dump) => dump.stream === 'e');
  say({ seen: (stream?.entries ?? []).map(({ ts, event }) => ({ ts, event })).reverse(), state: emitters[0]?.state });
}
for (;;) {
  await follow().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 40));
}
