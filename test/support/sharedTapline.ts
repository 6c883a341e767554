/**
 * One Tapline for the files of a process, one after the other: the workbench's server, with Tapline installed, and Chromium. A start of them costs
 * more than most files do with them. Each file has a window, an agent host, a gateway, settings and a folder of its own all the same.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endDaemons } from './endDaemon.ts';
import { childrenOf, commandLineOf, isAlive, untilGone } from './processes.ts';
import { type StartedTapline, startTapline } from './startedTapline.ts';

/** What a file may leave, beside the data folder of Tapline: settings and what VS Code keeps, and the folder that is open. */
const KEPT = ['user/User', 'user/Machine', 'sample'];

interface Shared {
  readonly tapline: StartedTapline;
  readonly asStarted: string;
  isTaken: boolean;
}
let shared: Shared | undefined;

// For the root of all files, because this module is loaded before any `describe`.
after(() => end());

/** As it was started. `stop` gives it back; what has ended, or cannot be brought back to its start, is replaced by another one. */
export async function takeTapline(): Promise<StartedTapline> {
  // By a file whose `before` has failed.
  if (shared?.isTaken) await giveBack();
  if (shared && !(isAlive(shared.tapline.pid) && shared.tapline.browser.isConnected())) await endUnused();
  shared ??= await start();
  shared.isTaken = true;
  return { ...shared.tapline, stop: giveBack };
}

async function start(): Promise<Shared> {
  // Those with a Tapline of their own have all extensions of VS Code.
  const tapline = await startTapline(['--no-walkthrough', '--few-extensions']);
  const asStarted = mkdtempSync(join(tmpdir(), 'tapline-as-started-'));
  const data = dirname(tapline.workspace);
  for (const name of KEPT) cpSync(join(data, name), join(asStarted, name), { recursive: true });
  return { tapline, asStarted, isTaken: false };
}

async function giveBack(): Promise<void> {
  if (!shared) return;
  try {
    await restore(shared);
    shared.isTaken = false;
  } catch (error) {
    console.error('This Tapline cannot be used again:', error);
    await endUnused();
  }
}

async function restore({ tapline, asStarted }: Shared): Promise<void> {
  const data = dirname(tapline.workspace);
  const home = join(data, 'home');
  for (const context of tapline.browser.contexts()) await context.close();
  const left = leftBehind(tapline.pid);
  for (const pid of left) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await untilGone(...left);
  for (const lock of ['host.lock.json', 'gateway.lock.json']) await endDaemons(join(home, lock));
  for (const folder of [home, tapline.copilotHome]) empty(folder);
  for (const name of KEPT) {
    mkdirSync(join(data, name), { recursive: true });
    empty(join(data, name));
    cpSync(join(asStarted, name), join(data, name), { recursive: true });
  }
}

/** The server keeps the extension host of a window that is gone for half a minute, and its terminals for as long as it runs. */
function leftBehind(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => {
    const line = commandLineOf(child);
    if (line.includes('--type=extensionHost')) return [child, ...descendantsOf(child)];
    return line.includes('--type=ptyHost') ? descendantsOf(child) : leftBehind(child);
  });
}
function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function empty(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function end(): Promise<void> {
  const ended = shared;
  shared = undefined;
  if (!ended) return;
  rmSync(ended.asStarted, { recursive: true, force: true });
  await ended.tapline.stop();
}

/** Where another one takes its place. */
async function endUnused(): Promise<void> {
  await end().catch((error: unknown) => console.error('It did not end as it should:', error));
}
