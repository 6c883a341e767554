/** What becomes of folders of format 1: killed at any moment, with folders that are left over, and with what cannot be read. */
import assert from 'node:assert/strict';
import fs, { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLogger } from '../../../../base/log.ts';
import { sha256 } from '../../../../base/node/sha256.ts';
import { chatUri } from '../../chatUris.ts';
import { StateStore, type StoredChannel } from '../../stateStore.ts';
import { SessionArchive } from '../sessionArchive.ts';

const corpus = join(import.meta.dirname, '../../../../../test/fixtures/sessions/format-1');
const session = 'demo:/everything';
const subagent = 'demo:/everything/subagent/7b1a7b1c-011e-4538-aba2-f36cd4d4c01e';
const others = [
  'demo:/fork',
  'demo:/killed',
  'demo:/killed-subagent',
  'demo:/killed-subagent/subagent/25970e88-88c1-4e93-9a6b-88de15ad7d6a',
];

/** All by which the archive changes files. */
const changing = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'closeSync',
  'renameSync',
  'rmSync',
  'truncateSync',
  'copyFileSync',
  'mkdirSync',
] as const;

/** Runs until the given number of changes is done. Then nothing more is written, as after a kill. True when it was killed. */
function killedAfter(steps: number, run: () => void): boolean {
  const originals = new Map<string, unknown>();
  const isReading = (name: string, args: unknown[]) => name === 'openSync' && args[1] === 'r';
  let left = steps;
  let killed = false;
  for (const name of changing) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    originals.set(name, original);
    (fs as unknown as Record<string, unknown>)[name] = (...args: unknown[]) => {
      if (left-- <= 0 && !isReading(name, args)) {
        killed = true;
        throw new Error('killed');
      }
      return original(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    run();
  } catch (error) {
    if (!killed) throw error;
  } finally {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  }
  return killed;
}

describe('folders of format 1', () => {
  let folder: string;
  let told: string[];
  const logger = {
    ...nullLogger,
    error: (text: unknown) => void told.push(String(text)),
    warn: (text: unknown) => void told.push(String(text)),
  };
  const openArchive = () => new SessionArchive({ folder, logger });
  const folderOf = (uri: string) => join(folder, sha256(uri).slice(0, 32));
  const restore = () => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(corpus, 'rested'), folder, { recursive: true });
    rmSync(join(folder, 'states.json'));
  };
  const isIn = (channels: readonly StoredChannel[], uri: string) => channels.some(({ channel }) => channel === chatUri(uri));
  const kept = (uri: string) => readFileSync(join(corpus, 'rested', sha256(uri).slice(0, 32), 'log.jsonl'));
  const found = (archive: SessionArchive, uri = session) => {
    const session = archive.found.find(({ facts }) => facts.uri === uri);
    assert.ok(session, uri);
    return session;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-migration-'));
    told = [];
    restore();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('hold the same after a kill at any moment, and are as if there had been none', () => {
    const restoreFamily = () => {
      restore();
      for (const uri of others) rmSync(folderOf(uri), { recursive: true, force: true });
    };
    restoreFamily();
    const expected = openArchive().open(session);
    const files = listing(folder);
    let steps = 0;
    for (let killed = true; killed; steps++) {
      restoreFamily();
      killed = killedAfter(steps, () => void openArchive().open(session));
      const archive = openArchive();
      assert.deepEqual(
        archive.found.map(({ facts }) => facts.uri),
        [session],
        `after ${steps} steps`,
      );
      assert.equal(found(archive).listed.chats.length, 2);
      assert.deepEqual(archive.open(session), expected, `after ${steps} steps`);
      assert.deepEqual(listing(folder), files, `after ${steps} steps`);
    }

    assert.ok(steps > 8, `${steps} steps`);
  });

  it('are listed without their logs being read', () => {
    for (const uri of [session, subagent]) {
      const path = join(folderOf(uri), 'log.jsonl');
      writeFileSync(path, 'x'.repeat(readFileSync(path).length));
    }
    const { listed, interrupted } = found(openArchive());
    assert.deepEqual([listed.summary.title, listed.chats.length, interrupted], ['Everything once', 2, false]);
  });

  it('of a subagent are removed where the session is gone, and are no sessions of their own', () => {
    rmSync(folderOf(session), { recursive: true });
    const archive = openArchive();
    assert.equal(existsSync(folderOf(subagent)), false);
    assert.equal(
      archive.found.some(({ facts }) => facts.uri === subagent),
      false,
    );
    assert.equal(existsSync(folderOf('demo:/killed-subagent')), true);
  });

  it('of a subagent are put aside with a session that cannot be read', () => {
    writeFileSync(join(folderOf(session), 'log.jsonl'), 'no session\n');
    openArchive();
    const aside = readdirSync(folder).filter((name) => name.startsWith('damaged-'));
    assert.deepEqual(aside.length, 2, aside.join());
  });

  it('of a subagent are removed beside a session of the new format that has its chat', () => {
    const channels = openArchive().open(session);
    const copy = join(corpus, 'rested', sha256(subagent).slice(0, 32));
    cpSync(copy, folderOf(subagent), { recursive: true });
    const archive = openArchive();
    assert.equal(existsSync(folderOf(subagent)), false);
    assert.deepEqual(archive.open(session), channels);
  });

  it('of a subagent that could not be read are taken in when they can be, once', () => {
    const path = join(folderOf(subagent), 'log.jsonl');
    const log = readFileSync(path);
    rmSync(path);
    mkdirSync(path);
    const first = openArchive();
    assert.equal(isIn(first.open(session), subagent), false);
    assert.match(told.join('\n'), /subagent\/7b1a7b1c-\S+ stays as it is in/);
    assert.equal(existsSync(path), true);

    rmSync(path, { recursive: true });
    writeFileSync(path, log);
    const second = openArchive();
    assert.equal(found(second).interrupted, true, 'it is opened at once');
    const channels = second.open(session);
    assert.equal(isIn(channels, subagent), true);
    const [own] = channels;
    assert.deepEqual(own?.kind === 'session' && own.state.chats.map(({ resource }) => resource), [session, subagent].map(chatUri));
    assert.equal(existsSync(folderOf(subagent)), false);
    assert.deepEqual(openArchive().open(session), channels);
  });

  it('keep what stands before a damaged line, also of a subagent, and the damaged logs beside', () => {
    for (const uri of [session, subagent]) {
      const lines = kept(uri).toString().split('\n');
      lines.splice(-4, 1, '\0\0');
      writeFileSync(join(folderOf(uri), 'log.jsonl'), lines.join('\n'));
    }
    const channels = openArchive().open(session);
    assert.equal(isIn(channels, subagent), true);
    const damaged = readdirSync(folderOf(session)).filter((name) => name.startsWith('log.damaged'));
    assert.equal(damaged.length, 2, damaged.join());
    assert.equal(told.filter((text) => /line \d+ of its log cannot be read; log\.damaged/.test(text)).length, 2);
  });

  it('of a subagent that is damaged are put aside, and its session opens', () => {
    writeFileSync(join(folderOf(subagent), 'log.jsonl'), '{}\n');
    assert.equal(isIn(openArchive().open(session), subagent), false);
    assert.ok(readdirSync(folder).some((name) => name.startsWith(`damaged-${sha256(subagent).slice(0, 32)}`)));
  });

  it('are not opened where they cannot be written anew, and stay as they are', () => {
    const write = () => {
      throw new Error('the disk is full');
    };
    assert.throws(() => new SessionArchive({ folder, logger, write }).open(session), /the disk is full/);
    for (const uri of [session, subagent]) assert.deepEqual(readFileSync(join(folderOf(uri), 'log.jsonl')), kept(uri));
  });

  it('have a summary of the new format soon after they were opened', () => {
    const timers: (() => void)[] = [];
    const clock = { now: () => 0, setTimer: (run: () => void) => (timers.push(run), { dispose: () => undefined }) };
    const archive = new SessionArchive({ folder, logger, clock });
    const store = new StateStore({ afterSeq: archive.highestSeq });
    archive.attach(store);
    for (const channel of archive.open(session)) store.add(channel, session);
    for (const run of timers) run();
    assert.equal(found(openArchive()).interrupted, false);
    assert.deepEqual(found(openArchive()).listed, found(archive).listed);
  });

  it('go with their session, all of them', () => {
    const archive = openArchive();
    archive.delete(session);
    assert.deepEqual([session, subagent].map(folderOf).filter(existsSync), []);
    assert.equal(existsSync(folderOf('demo:/fork')), true);
  });
});

/** All files, and which of the logs are the same. */
function listing(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true }) as string[];
  return paths
    .filter((path) => !path.endsWith('.new'))
    .map((path) => (path.endsWith('log.jsonl') ? `${path} ${sha256(readFileSync(join(folder, path), 'utf8'))}` : path))
    .sort();
}
