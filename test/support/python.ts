/**
 * A Python that has the package `websockets`, for tests that run Python programs. Where none is installed, the package of Debian is fetched
 * once, without root and beside everything else that npm keeps; it is pure Python, so that any Python 3 can use it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../../node_modules/.cache/tapline-python');
const packages = join(cache, 'usr/lib/python3/dist-packages');
const CHECK_TIMEOUT_MS = 20_000;
const FETCH_TIMEOUT_MS = 90_000;
const FIND_TIMEOUT_MS = 4 * FETCH_TIMEOUT_MS + 5 * CHECK_TIMEOUT_MS;

export interface Python {
  readonly command: string;
  /** Goes into `PYTHONPATH`; empty where the package is installed. */
  readonly path: string;
}

let known: Python | string | undefined;
/** For a `before`: where there is none, its tests are skipped, with a word that says why. May take minutes, once. */
export function pythonOrSkip(hook: Mocha.Context): Python {
  hook.timeout(FIND_TIMEOUT_MS);
  known ??= lookForPython();
  if (typeof known !== 'string') return known;
  console.log(`      skipped: ${known}`);
  return hook.skip();
}

function lookForPython(): Python | string {
  const commands = ['python3', '/usr/bin/python3'];
  const find = (path: string) => {
    const works = (command: string) =>
      run(command, ['-c', 'import websockets; websockets.connect'], CHECK_TIMEOUT_MS, { PYTHONPATH: path }).status === 0;
    const command = commands.find(works);
    return command === undefined ? undefined : { command, path };
  };
  const found = find('') ?? (existsSync(packages) ? find(packages) : undefined);
  if (found) return found;
  if (!commands.some((command) => run(command, ['--version'], CHECK_TIMEOUT_MS).status === 0)) return 'there is no python3';
  return fetchWebsockets() ?? find(packages) ?? 'Debian’s package does not work with this Python';
}

/** Whoever is first puts it in its place as a whole. What went wrong, if it did. */
function fetchWebsockets(): string | undefined {
  mkdirSync(join(cache, '..'), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    const lists = join(folder, 'lists');
    mkdirSync(join(lists, 'partial'), { recursive: true });
    mkdirSync(join(folder, 'apt/archives/partial'), { recursive: true });
    const own = ['-o', `Dir::Cache=${folder}/apt`, '-o', 'APT::Sandbox::User='];
    const ownLists = [...own, '-o', `Dir::State::Lists=${lists}`];
    const apt = (...args: string[]) => run('apt-get', args, FETCH_TIMEOUT_MS, {}, folder);
    let fetched = apt(...own, 'download', 'python3-websockets');
    // A machine on which nobody has asked for the lists of packages yet.
    if (fetched.status !== 0 && apt(...ownLists, 'update').status === 0) fetched = apt(...ownLists, 'download', 'python3-websockets');
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (!archive)
      return `it is not installed, and Debian’s package cannot be had: ${(fetched.error?.message ?? fetched.stderr).trim().slice(0, 300)}`;
    const unpacked = run('dpkg', ['-x', join(folder, archive), join(folder, 'root')], FETCH_TIMEOUT_MS);
    if (unpacked.status !== 0) return `Debian’s package cannot be unpacked: ${unpacked.stderr.trim().slice(0, 300)}`;
    if (!existsSync(packages)) {
      rmSync(cache, { recursive: true, force: true });
      renameSync(join(folder, 'root'), cache);
    }
    return undefined;
  } catch (error) {
    // Another run of the tests was first.
    if (existsSync(packages)) return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: string[], timeout: number, env: Record<string, string> = {}, cwd?: string) {
  return spawnSync(command, args, { encoding: 'utf8', timeout, cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
}
