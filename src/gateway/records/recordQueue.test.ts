import { strict as assert } from 'node:assert';
import { type RecordInput, recordInput } from '../../tap/wire/records/record.ts';
import { RecordQueue } from './recordQueue.ts';

const record = (id: string): RecordInput => recordInput.parse({ kind: 'run', id, at: 0, data: {} });

/** A disk that writes when it is told. */
class Disk {
  readonly batches: string[][] = [];
  #wanted: (() => void)[] = [];
  #done: { resolve: () => void; reject: (error: Error) => void } | undefined;

  readonly write = (records: RecordInput[]): Promise<void> => {
    this.batches.push(records.map(({ id }) => id));
    for (const wanted of this.#wanted.splice(0)) wanted();
    return new Promise((resolve, reject) => (this.#done = { resolve, reject }));
  };

  /** The next batch has come. */
  async batch(): Promise<void> {
    if (!this.#done) await new Promise<void>((resolve) => this.#wanted.push(resolve));
  }
  async finish(error?: Error): Promise<void> {
    await this.batch();
    const done = this.#done;
    this.#done = undefined;
    if (error) done?.reject(error);
    else done?.resolve();
  }
}

describe('queue of records', () => {
  const queueOf = (disk: Disk, more: object = {}) => new RecordQueue({ write: disk.write, maxWaiting: 10, maxBatch: 3, ...more });

  it('resolves what was added once it is written, and not before', async () => {
    const disk = new Disk();
    const queue = queueOf(disk);
    let isWritten = false;
    const added = queue.add([record('a')]).then(() => (isWritten = true));
    await disk.batch();
    assert.equal(queue.waiting, 1);
    assert.equal(isWritten, false);
    await disk.finish();
    await added;
    assert.equal(queue.waiting, 0);
  });

  it('writes together what has come meanwhile, up to the size of a batch', async () => {
    const disk = new Disk();
    const queue = queueOf(disk);
    const added = ['a', 'b', 'c', 'd', 'e'].map((id) => queue.add([record(id)]));
    await disk.finish();
    await disk.finish();
    await Promise.all(added);
    assert.deepEqual(disk.batches, [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]);
  });

  it('does not split what was added at once', async () => {
    const disk = new Disk();
    const queue = queueOf(disk);
    const added = [queue.add([record('a')]), queue.add(['b', 'c', 'd', 'e'].map(record))];
    await disk.finish();
    await disk.finish();
    await Promise.all(added);
    assert.deepEqual(disk.batches, [['a'], ['b', 'c', 'd', 'e']]);
  });

  it('refuses more than can wait, and takes more once there is room', async () => {
    const disk = new Disk();
    const queue = queueOf(disk, { maxWaiting: 2 });
    const first = queue.add([record('a'), record('b')]);
    await assert.rejects(queue.add([record('c')]), /too many records/);
    await disk.finish();
    await first;
    const second = queue.add([record('c')]);
    await disk.finish();
    await second;
  });

  it('lets nobody wait for what is added later', async () => {
    const disk = new Disk();
    const queue = queueOf(disk, { maxBatch: 1 });
    const first = queue.add([record('a')]);
    const asked = queue.whenWritten();
    const second = queue.add([record('b')]);
    await disk.finish();
    await asked;
    assert.equal(queue.waiting, 1);
    await disk.finish();
    await Promise.all([first, second, queue.whenWritten()]);
    assert.equal(queue.waiting, 0);
  });

  it('tells those whose batch has failed, and goes on', async () => {
    const disk = new Disk();
    const queue = queueOf(disk);
    const first = queue.add([record('a')]);
    await disk.batch();
    const second = queue.add([record('b')]);
    await disk.finish(new Error('the disk is full'));
    await assert.rejects(first, /disk is full/);
    await disk.finish();
    await second;
    await queue.whenWritten();
  });
});
