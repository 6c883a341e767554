/** Whatever happens to the channels of a session, and whenever its host is killed: what is on disk is what the store held. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { StateAction } from '../../../ahp/channels/actions.ts';
import { nullLogger } from '../../../base/log.ts';
import { writeToDisk } from '../../../base/node/wholeFile.ts';
import { StateStore, type StoredChannel } from '../stateStore.ts';
import { SessionArchive } from './sessionArchive.ts';
import { runs } from '../../../../test/support/runs.ts';

const uri = 't:/1';
const chats = ['c:/1', 'c:/2', 'c:/3'];
const newChat = (resource: string): StoredChannel => ({
  channel: resource,
  kind: 'chat',
  state: { resource, title: '', status: 1, modifiedAt: '', turns: [] },
});
const begin: StoredChannel[] = [
  { channel: uri, kind: 'session', state: { provider: 'p', title: '', status: 1, lifecycle: 'ready', activeClients: [], chats: [] } },
  newChat('c:/1'),
];

const text = fc.constantFrom('a', 'b', 'c'.repeat(60_000));
const inTurn = { turnId: 't' };
const action = fc.oneof(
  fc.constant<StateAction>({ type: 'chat/turnStarted', ...inTurn, startedAt: '', message: { text: '', origin: { kind: 'user' } } }),
  fc.constant<StateAction>({ type: 'chat/responsePart', ...inTurn, part: { kind: 'markdown', id: 'p', content: '' } }),
  text.map((content): StateAction => ({ type: 'chat/delta', ...inTurn, partId: 'p', content })),
  text.map((content): StateAction => ({ type: 'chat/draftChanged', draft: { text: content, origin: { kind: 'user' } } })),
  fc.constant<StateAction>({ type: 'chat/turnComplete', ...inTurn, duration: 1 }),
);
type Change = { kind: 'dispatch'; channel: string; action: StateAction } | { kind: 'add' | 'delete'; channel: string };
const channel = fc.constantFrom(...chats);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('dispatch' as const), channel, action }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('add' as const, 'delete' as const), channel }) },
);
type Step = { kind: 'change'; change: Change; nested: Change[] } | { kind: 'kill' | 'killInLine' | 'unload' | 'end' | 'fail' | 'heal' };
const step: fc.Arbitrary<Step> = fc.oneof(
  /** `nested`: what a listener does when it hears of an action. */
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('change' as const), change, nested: fc.array(change, { maxLength: 6, size: 'max' }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('kill' as const, 'killInLine', 'unload', 'end', 'fail', 'heal') }) },
);

class Run {
  archive: SessionArchive;
  store: StateStore;
  isFull = false;
  nested: Change[] = [];

  constructor(private readonly folder: string) {
    [this.archive, this.store] = this.#start();
    this.archive.create({ uri, workingDirectory: '/', createdAt: 0 }, begin, this.store.serverSeq);
    this.#show(begin);
  }

  take(step: Step): void {
    switch (step.kind) {
      case 'change':
        this.nested = [...step.nested];
        this.#apply(step.change);
        break;
      case 'killInLine':
        appendFileSync(join(this.archive.folderOf(uri), 'log.jsonl'), '{"at":1,"env');
        this.#restart();
        break;
      case 'end':
        this.isFull = false;
        this.archive.dispose();
        this.#restart();
        break;
      case 'kill':
        this.#restart();
        break;
      case 'unload': {
        if (this.archive.problem(uri) !== undefined) break;
        const family = this.store.family(uri);
        this.archive.release(uri);
        for (const { channel } of family) this.store.delete(channel);
        this.#show(this.archive.open(uri));
        assert.deepEqual(this.store.family(uri), family);
        break;
      }
      case 'fail':
      case 'heal':
        this.isFull = step.kind === 'fail';
        this.archive.problem(uri);
    }
  }

  /** What a run would read that begins now. */
  get onDisk(): StoredChannel[] {
    return new SessionArchive({ folder: this.folder, logger: nullLogger }).open(uri);
  }

  #start(): [SessionArchive, StateStore] {
    const write: typeof writeToDisk = (fd, data, offset) => {
      if (this.isFull) throw new Error('the disk is full');
      return writeToDisk(fd, data, offset);
    };
    const clock = { now: () => 0, setTimer: () => ({ dispose: () => undefined }) };
    const archive = new SessionArchive({ folder: this.folder, logger: nullLogger, write, clock });
    const store = new StateStore({ afterSeq: archive.highestSeq });
    archive.attach(store);
    store.onDidDispatch(() => {
      for (const nested of this.nested.splice(0)) this.#apply(nested);
    });
    return [archive, store];
  }

  #restart(): void {
    this.isFull = false;
    const family = this.archive.hasProblem(uri) ? undefined : this.store.family(uri);
    [this.archive, this.store] = this.#start();
    this.#show(this.archive.open(uri));
    if (family) assert.deepEqual(this.store.family(uri), family);
  }

  #show(channels: readonly StoredChannel[]): void {
    for (const channel of channels) this.store.add(channel, uri);
  }

  #apply(change: Change): void {
    if (change.kind === 'dispatch') this.store.dispatch(change.channel, change.action);
    else if (change.kind === 'delete') this.store.delete(change.channel);
    else if (!this.store.get(change.channel)) this.store.add(newChat(change.channel), uri);
  }
}

describe('sessionArchive, whatever happens', () => {
  it('has on disk what the store has, unless it says that it cannot write', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20, size: 'max' }), (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'tapline-archive-'));
        try {
          const run = new Run(folder);
          for (const step of steps) {
            run.take(step);
            if (!run.archive.hasProblem(uri)) assert.deepEqual(run.onDisk, run.store.family(uri));
          }
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
