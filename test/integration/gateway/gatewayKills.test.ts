/**
 * Gateway, window and child are killed at random moments. `TAPLINE_KILLS` says how often (`npm run kills`: 200), and `TAPLINE_KILLS_SEED` repeats
 * what has failed.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { eventually } from '../../fakes/eventually.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, gatewayScript } from '../../support/gatewayProcess.ts';
import { isAlive, processesWith, untilGone } from '../../support/processes.ts';

const KILLS = Number(process.env.TAPLINE_KILLS ?? 5);
const SEED = Number(process.env.TAPLINE_KILLS_SEED ?? Date.now() % 1_000_000);
const WAIT_MS = 30_000;
const MARK = `kills-${process.pid}-${SEED}`;
/** Each line is another one, and says how many its run has printed before. */
const COMMAND = `sh -c 'n=0; while :; do n=$((n+1)); echo "line $$ $n"; sleep 0.05; done' ${MARK}`;
const ownerScript = join(import.meta.dirname, '../../support/watchingOwner.ts');

interface OwnerEvent {
  ts: string;
  event: string;
}

/** All that an owner was ever told of the stream, in its order. */
class Ledger {
  readonly all: OwnerEvent[] = [];
  readonly surfaced: OwnerEvent[] = [];

  /** `seen`: the newest of the stream, oldest first. */
  merge(seen: OwnerEvent[]): void {
    const last = this.all.at(-1);
    const at = last ? seen.findLastIndex(({ ts, event }) => ts === last.ts && event === last.event) : -1;
    if (last) assert.ok(at >= 0, `${JSON.stringify(last)} is lost: ${JSON.stringify(seen.slice(-5))}`);
    assert.deepEqual(seen.slice(0, at + 1), this.all.slice(this.all.length - at - 1), 'what was told before is as it was');
    this.all.push(...seen.slice(at + 1));
  }

  get lines(): number {
    return this.all.filter(({ event }) => event.startsWith('line ')).length;
  }
}

describe('200 random kills', () => {
  let home: GatewayHome;
  let owner: ChildProcess | undefined;
  let failure: unknown;
  const ledger = new Ledger();
  before(() => (home = new GatewayHome()));
  after(async () => {
    owner?.kill('SIGKILL');
    await endDaemons(home.lockFile);
    home.remove();
  });

  let state = SEED;
  /** From 0 up to the number. */
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, random(300)));

  const begin = (isFirst = false) => {
    const args = ['--import=tsx', ownerScript, gatewayScript, home.lockFile, home.folder, COMMAND];
    const env = { ...process.env, ...home.env, ...(isFirst && { FIRST: '1' }) };
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Of one that was killed the last line may be cut off.
      if (!line.endsWith('}')) return;
      const said = JSON.parse(line) as { seen?: OwnerEvent[]; told?: OwnerEvent };
      if (said.told) ledger.surfaced.push(said.told);
      try {
        // At a gateway that has just begun the session may not be there yet.
        if (said.seen && owner === child) ledger.merge(said.seen);
      } catch (error) {
        failure ??= error;
      }
    });
    owner = child;
  };

  const kill = {
    gateway: () => {
      const pid = readDaemonRecord(home.lockFile)?.pid;
      if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
    },
    owner: () => {
      owner?.kill('SIGKILL');
      begin();
    },
    child: () => {
      const pids = processesWith(MARK).filter((pid) => pid !== owner?.pid);
      const pid = pids[random(pids.length)];
      if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
    },
  };

  it(`of gateway, window and child lose no line that was told, double none, and leave no child (${KILLS}, seed ${SEED})`, async () => {
    begin(true);
    await eventually(() => ledger.lines > 5, 'the first lines', WAIT_MS);
    for (let round = 0; round < KILLS; round++) {
      await pause();
      const [first = 'gateway', second] = [['gateway'], ['owner'], ['child'], ['owner', 'gateway'], ['gateway', 'owner']][
        random(5)
      ] as (keyof typeof kill)[];
      const { lines } = ledger;
      kill[first]();
      if (second) kill[second]();
      // Now and then the next kill comes before all is well again.
      if (random(4) > 0)
        await eventually(() => failure || ledger.lines > lines + 2, `new lines after kill ${round} (${first} ${second})`, WAIT_MS);
      if (failure) throw failure as Error;
    }
    const { lines } = ledger;
    await eventually(() => failure || ledger.lines > lines + 2, 'the last lines', WAIT_MS);
    if (failure) throw failure as Error;

    const seen = new Set(ledger.all.map(({ ts, event }) => `${ts} ${event}`));
    for (const { ts, event } of ledger.surfaced) assert.ok(seen.has(`${ts} ${event}`), `${ts} ${event} was told and is not in the stream`);
    const runs = new Map<string, number>();
    for (const { event } of ledger.all) {
      const [, run, count] = /^line (\d+) (\d+)$/.exec(event) ?? [];
      if (run === undefined) continue;
      assert.equal(Number(count), (runs.get(run) ?? 0) + 1, event);
      runs.set(run, Number(count));
    }
    assert.ok(ledger.all.some(({ event }) => event === 'e was started again') || KILLS < 3);
    const children = processesWith(MARK).filter((pid) => pid !== owner?.pid);
    owner?.kill('SIGKILL');
    const gateway = readDaemonRecord(home.lockFile)?.pid ?? 0;
    process.kill(gateway, 'SIGKILL');
    await untilGone(gateway, ...children);
    assert.deepEqual(processesWith(MARK), []);
    assert.equal(readdirSync(join(home.folder, 'tapline', 'gateway.sessions')).length, 1);
  });
});
