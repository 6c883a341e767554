import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { readLines } from './readLines.ts';

describe('reading what a process prints', () => {
  let clock: FakeClock;
  let stream: PassThrough;
  let lines: string[];
  let end: () => void;
  let isRead: boolean;
  beforeEach(() => {
    [clock, stream, lines, isRead] = [new FakeClock(), new PassThrough(), [], false];
  });
  const read = (tell: (told: string[]) => void | Promise<void> = (told) => void lines.push(...told)) => {
    const ended = new Promise<void>((resolve) => (end = resolve));
    void readLines(stream, { clock, ended, tell }).then(() => (isRead = true));
  };
  const write = async (text: string) => (stream.write(text), atRest());

  it('tells whole lines, the last one when the stream has closed', async () => {
    read();
    await write('one\ntw');
    assert.deepEqual(lines, ['one']);
    await write('o\nthree');
    assert.equal(isRead, false);
    stream.end();
    await atRest();
    assert.deepEqual([lines, isRead], [['one', 'two', 'three'], true]);
  });

  it('reads nothing more while the one who is told is busy, and is done after that', async () => {
    let free: () => void = () => undefined;
    read((told) => {
      lines.push(...told);
      return new Promise((resolve) => (free = resolve));
    });
    await write('one\n');
    await write('two\n');
    assert.deepEqual(lines, ['one']);
    free();
    await atRest();
    assert.deepEqual(lines, ['one', 'two']);
    stream.end();
    await atRest();
    assert.equal(isRead, false);
    free();
    await atRest();
    stream.end();
    await atRest();
    assert.equal(isRead, true);
  });

  it('waits a second for more than 256 KiB, and not when the process has ended', async () => {
    read();
    const piece = `${'x'.repeat(1023)}\n`.repeat(256);
    await write(piece);
    await write('one\n');
    assert.equal(lines.includes('one'), false);
    clock.advance(1000);
    await atRest();
    assert.equal(lines.at(-1), 'one');
    await write(piece);
    await write('two\n');
    assert.equal(lines.at(-1) === 'two', false);
    end();
    await atRest();
    assert.equal(lines.at(-1), 'two');
  });

  it('waits for both where there was too much and the one who is told is busy', async () => {
    const piece = `${'x'.repeat(1023)}\n`.repeat(256);
    let free: () => void = () => undefined;
    read((told) => {
      lines.push(...told);
      return new Promise((resolve) => (free = resolve));
    });
    const has = (line: string) => lines.includes(line);
    await write(piece);
    await write('one\n');
    free();
    await atRest();
    assert.equal(has('one'), false, 'the second is not over');
    clock.advance(1000);
    await atRest();
    assert.equal(has('one'), true);
    free();
    await write(piece);
    await write('two\n');
    clock.advance(1000);
    await atRest();
    assert.equal(has('two'), false, 'it is busy');
    free();
    await atRest();
    assert.equal(has('two'), true);
  });
});
