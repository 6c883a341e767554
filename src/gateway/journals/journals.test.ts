import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { type Logger, nullLogger } from '../../base/log.ts';
import { Session } from '../sessions/session.ts';
import { tapStreams } from '../streams/tapStreams.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { Journals } from './journals.ts';
import type { KeptEmitter } from './sessionJournal.ts';

const GRACE_MS = 30_000;
const emitter = (name: string): KeptEmitter => ({ spec: { name, command: 'x' }, startedBy: 'user', isOn: true });

describe('The journal of a session', () => {
  let folder: string;
  let clock: FakeClock;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'tapline-journals-')), 'sessions');
    clock = new FakeClock();
    clock.advance(Date.now());
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  const newJournals = (logger: Logger = nullLogger) =>
    new Journals({ folder, graceMs: GRACE_MS, clock, charge: (work) => charged(work), logger });
  let charged = (work: () => void) => work();

  /** As a gateway that begins has it. */
  const begin = (sessionId = 'a') => {
    const journals = newJournals();
    const opened = journals.open(sessionId);
    const session = new Session(
      sessionId,
      { name: 'owner', notify: () => undefined, ask: () => Promise.reject(new Error('asleep')) },
      opened,
    );
    const add = (event: string, stream = 's', soon = false) =>
      session.streams.append(tapStreams, stream, { ts: new Date(clock.now()).toISOString(), event, level: 'keep' }, soon);
    const events = (stream = 's') =>
      session.streams
        .readNamed('tap', stream, 200)
        ?.map((item) => item.event)
        .reverse() ?? [];
    return { session, journals, journal: opened.journal, kept: opened.kept, add, events };
  };
  const file = () => {
    const [name, ...more] = readdirSync(folder);
    assert.ok(name !== undefined && more.length === 0, `${more}`);
    return join(folder, name);
  };

  it('has what was told of a session, also where the gateway was killed in the middle of a line', () => {
    const { session, journal, add } = begin();
    assert.ok(!existsSync(folder), 'a session that says nothing has no file');
    add('one');
    add('other', 't');
    add('two');
    journal.keepEmitters([emitter('e')]);
    session.streams.append({ ...tapStreams, name: 'ci' }, 's', { ts: '', event: 'of a provider', level: 'keep' });
    assert.equal(statSync(file()).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    appendFileSync(file(), '{"stream":"s","item":{"ts":"x","event":"thr');
    const next = begin();
    assert.deepEqual([next.events(), next.events('t'), next.session.kept?.emitters], [['one', 'two'], ['other'], [emitter('e')]]);
    next.add('three');
    const last = begin();
    assert.deepEqual([last.events(), last.session.kept?.emitters], [['one', 'two', 'three'], [emitter('e')]]);
    assert.ok(!readFileSync(file(), 'utf8').includes('of a provider'));
  });

  it('has what may be written later before it is read', async () => {
    const { add, events } = begin();
    add('one', 's', true);
    assert.ok(!existsSync(folder));
    events();
    assert.deepEqual(begin().events(), ['one']);
    add('two', 's', true);
    await new Promise((resolve) => setImmediate(resolve));
    // The file is that of the newer one by now.
    assert.ok(!readFileSync(file(), 'utf8').includes('two'));
    const alone = begin('b');
    alone.add('b', 's', true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(begin('b').events(), ['b']);
  });

  it('is gone with the session, and of another gateway it is left alone', () => {
    const first = begin();
    first.add('one');
    const second = begin();
    first.journal.delete();
    first.add('late');
    assert.deepEqual(begin().events(), ['one']);
    second.add('lost'); // into a file that is no more
    const third = begin();
    third.journal.delete();
    assert.deepEqual(readdirSync(folder), []);
    third.add('late');
    assert.deepEqual([readdirSync(folder), begin().kept], [[], undefined]);
  });

  it('ends with its session where the owner has left it for too long', () => {
    const { add, journal } = begin();
    add('one');
    journal.left(clock.now());
    clock.advance(GRACE_MS);
    const next = begin();
    assert.deepEqual(next.events(), ['one'], 'the owner is back in time');
    next.journal.left(clock.now());
    next.journal.left(undefined);
    clock.advance(GRACE_MS + 1);
    const third = begin();
    assert.deepEqual(third.events(), ['one'], 'it had not left');
    third.journal.left(clock.now());
    clock.advance(GRACE_MS + 1);
    assert.deepEqual([begin().events(), readdirSync(folder)], [[], []]);
  });

  it('says how long ago its gateway has lived, as long as something is on', () => {
    const isRecent = () => begin().kept?.isRecent;
    const { journal, journals } = begin();
    journal.keepEmitters([emitter('e')]);
    clock.advance(10 * GRACE_MS);
    journals.dispose(); // it is killed
    clock.advance(GRACE_MS - 5_000);
    const { kept, journals: next } = begin();
    assert.equal(kept?.isRecent, true);
    next.dispose();
    clock.advance(5_001);
    assert.equal(isRecent(), false, 'to have been read does not make it younger');
    assert.deepEqual(begin().kept?.emitters, [emitter('e')], 'they are there all the same');
    clock.sleep(-100 * GRACE_MS);
    assert.equal(isRecent(), false, 'the clock was set back');
  });

  it('is of an end in order from the moment of the end', () => {
    const { journal, journals } = begin();
    journal.keepEmitters([emitter('e')]);
    journals.dispose();
    clock.advance(GRACE_MS + 1);
    journal.close();
    assert.equal(begin().kept?.isRecent, true);
  });

  it('knows which streams are not whole', () => {
    const { session, add, journal } = begin();
    for (let at = 0; at <= Limit.streamEntries; at++) add(`${at}`);
    add('one', 't');
    journal.rewrite();
    const next = begin();
    next.journal.rewrite();
    const cut = (of: Session) => of.streams.all().map(({ name, isCut }) => [name, isCut]);
    assert.deepEqual(cut(begin().session), [
      ['s', true],
      ['t', false],
    ]);
    assert.deepEqual(cut(session), cut(next.session));
  });

  it('counts the time of what it writes', () => {
    let count = 0;
    charged = (work) => {
      count++;
      work();
    };
    try {
      const { add, journal } = begin();
      add('one');
      journal.keepEmitters([emitter('e')]);
      assert.equal(count, 2);
    } finally {
      charged = (work) => work();
    }
  });

  it('is bounded, and keeps the newest', () => {
    const { add, journal } = begin();
    journal.left(clock.now());
    const text = 'x'.repeat(20_000);
    for (let at = 0; at < 500; at++) add(`${at} ${text}`);
    assert.ok(statSync(file()).size < 3 * Limit.streamBytes, `${statSync(file()).size}`);
    assert.ok(readFileSync(file(), 'utf8').includes(`{"leftAt":${clock.now()}}`), 'also when it was written anew');
    const events = begin().events();
    assert.ok(events.length > 50 && events.length <= Limit.streamEntries, `${events.length}`);
    assert.ok(events.at(-1)?.startsWith('499 '));
  });

  it('that nobody understands, or that is of another session, counts as none', () => {
    const { add } = begin();
    add('one');
    const path = file();
    const whole = readFileSync(path, 'utf8');
    for (const text of ['', 'x', '\n', whole.replace('"a"', '"b"'), whole.replace('"journal":1', '"journal":2'), whole.slice(0, 10)]) {
      writeFileSync(path, text);
      const { kept, events } = begin();
      assert.deepEqual([kept, events(), existsSync(path)], [undefined, [], false], text);
    }
    writeFileSync(path, `${whole}{"stream":1}\nnull\n{"emitters":[{"spec":{"name":"e"}},3]}\n`);
    const warnings: string[] = [];
    const { kept } = newJournals({ ...nullLogger, warn: (text: string) => warnings.push(text) }).open('a');
    assert.deepEqual([kept?.emitters, kept?.lost], [[], ['e', '']]);
    assert.match(warnings.join(), /2 emitters are not understood/);
    assert.deepEqual(begin().events(), ['one']);
  });

  it('is not kept for ever where its session does not come back', () => {
    mkdirSync(folder, { recursive: true });
    const old = (clock.now() - 31 * 24 * 3600 * 1000) / 1000;
    for (let at = 0; at < 205; at++) {
      writeFileSync(join(folder, `${at}.jsonl`), '');
      utimesSync(join(folder, `${at}.jsonl`), clock.now() / 1000 - at, clock.now() / 1000 - at);
    }
    writeFileSync(join(folder, 'old.jsonl'), '');
    utimesSync(join(folder, 'old.jsonl'), old, old);
    writeFileSync(join(folder, '0.jsonl.new'), '');
    const { journals } = begin();
    assert.equal(readdirSync(folder).length, 207, 'another gateway may have them yet');
    journals.sweep();
    const left = readdirSync(folder);
    assert.ok(left.length <= 200 && left.includes('0.jsonl') && !left.includes('204.jsonl'), `${left.length}`);
    assert.ok(!left.includes('old.jsonl') && !left.includes('0.jsonl.new'));
  });

  it('that cannot be written says so, and is not there afterwards', () => {
    const errors: string[] = [];
    const logger = { ...nullLogger, error: (text: string) => errors.push(text) };
    writeFileSync(folder, 'no folder');
    const { journal } = newJournals(logger).open('a');
    journal.append('s', '{}', false);
    journal.append('s', '{}', false);
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', /cannot be written, so nothing of this session outlives the gateway/);
  });
});
