/** What a hundred emitters with ten thousand lines a second cost the calls of the same gateway, which is a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLogger } from '../src/base/log.ts';
import { OwnerClient, type OwnedSession } from '../src/tap/owner/ownerClient.ts';
import { Limit } from '../src/tap/wire/limits.ts';
import { eventually } from '../test/fakes/eventually.ts';
import type { Middle } from './gatewayMiddle.ts';
import { medianOf, report } from './measure.ts';
import { startChild } from './startChild.ts';
import { createProvider } from '../src/tap/provider/providerNode.ts';

const CALLS = 3000;
const ROUNDS = 3;
const LINES = 100;
const SESSIONS = Limit.allEmitters / Limit.emitters;
const emitter = {
  // So many lines each second.
  command: `while :; do seq ${LINES}; sleep 1; done`,
  eventFilter: [
    { match: '^[0-9]*[02468]$', outcome: 'drop' as const },
    { match: 'FAIL|ERROR', outcome: 'inject' as const },
  ],
};

const median = (session: OwnedSession) => medianOf(CALLS, () => session.call('greet', {}));

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-bench-'));
  const child = await startChild<Middle>('gatewayMiddle.ts', 'gateway');
  const { url, secret, token } = child.said;
  const client = new OwnerClient({ name: 'bench', find: async () => ({ url, token: secret }), logger: nullLogger });
  const sessions = Array.from({ length: SESSIONS }, (_, at) => client.addSession({ sessionId: `s${at}`, label: 'bench', cwd: folder }));
  const [first] = sessions as [OwnedSession];
  const tools = [{ name: 'greet', description: 'greets', parameters: {} }];
  const provider = createProvider('bench', { url, token, tools, session: 'all', onToolCall: () => 'Hello' });
  await eventually(async () => client.state.kind === 'connected' && (await first.call('greet', {})).ok, 'the tool');
  await median(first); // Warm-up.
  const quiet: number[] = [];
  const noisy: number[] = [];
  const all = sessions.flatMap((session) => Array.from({ length: Limit.emitters }, (_, at) => ({ session, name: `e${at}` })));
  const total = async () =>
    (await Promise.all(sessions.map((session) => session.emitters.list())))
      .flat()
      .reduce((sum, { lines }) => sum + lines.keep + lines.drop, 0);
  let perSecond = 0;
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await median(first));
    for (const { session, name } of all) await session.emitters.start({ name, ...emitter });
    const [before, began] = [await total(), performance.now()];
    noisy.push(await median(first));
    perSecond = Math.max(perSecond, ((await total()) - before) / ((performance.now() - began) / 1000));
    await Promise.all(all.map(({ session, name }) => session.emitters.stop(name)));
  }
  report(`emitters: median tool call beside ${Limit.allEmitters} emitters ÷ without`, Math.min(...noisy) / Math.min(...quiet), {
    atMost: 1.2,
  });
  report('emitters: lines a second meanwhile ÷ 10,000', perSecond / 10_000);
  await provider.close();
  client.dispose();
  await child.stop();
  rmSync(folder, { recursive: true });
}
