import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DurableContents } from './durableContents.ts';

describe('DurableContents', () => {
  let folder: string;
  const folderOf = (session: string) => join(folder, session.slice(-1).repeat(32));
  const text = (content: { data: Uint8Array } | undefined) => content && new TextDecoder().decode(content.data);
  const filesOf = (session: string) => readdirSync(join(folderOf(session), 'contents'));

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-contents-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('shares a content without taking more room, so that it stays when the first session goes', () => {
    const contents = new DurableContents({ folder, folderOf });
    const { uri } = contents.put('demo:/1', 'grüße', 'text/plain');
    const own = contents.share(uri, 'demo:/2');
    assert.ok(own !== undefined && own !== uri);
    assert.equal(statSync(join(folderOf('demo:/2'), 'contents', filesOf('demo:/2')[0]!)).nlink, 2);
    rmSync(folderOf('demo:/1'), { recursive: true });
    assert.equal(contents.read(uri), undefined);
    assert.deepEqual([text(contents.read(own)), contents.read(own)?.contentType], ['grüße', 'text/plain']);
    assert.equal(contents.share(uri, 'demo:/2'), undefined);
    assert.equal(contents.share('tapline-content:/../../etc/passwd', 'demo:/2'), undefined);
  });

  it('drops what the session needs no more, so that there is room for others', () => {
    const contents = new DurableContents({ folder, folderOf }, 100);
    const first = contents.put('demo:/1', 'x', 'a');
    const large = contents.put('demo:/1', 'y'.repeat(50), 'a');
    const other = contents.share(large.uri, 'demo:/2')!;
    contents.drop(large.uri, 'demo:/2');
    contents.drop('tapline-content:/../../x', 'demo:/1');
    assert.equal(contents.read(large.uri)?.data.length, 50, 'it belongs to the other session');
    contents.drop(large.uri, 'demo:/1');
    contents.drop(large.uri, 'demo:/1');
    assert.equal(contents.read(large.uri), undefined);
    assert.equal(contents.read(other)?.data.length, 50);
    contents.put('demo:/1', 'z'.repeat(50), 'a');
    assert.equal(text(contents.read(first.uri)), 'x');
  });

  it('copies it where there can be no link', function () {
    const other = '/dev/shm';
    if (!existsSync(other) || statSync(other).dev === statSync(folder).dev) return this.skip();
    const elsewhere = mkdtempSync(join(other, 'tapline-contents-'));
    try {
      mkdirSync(folderOf('demo:/2'));
      symlinkSync(elsewhere, join(folderOf('demo:/2'), 'contents'));
      const contents = new DurableContents({ folder, folderOf });
      const { uri } = contents.put('demo:/1', 'a', 'text/plain');
      assert.equal(text(contents.read(contents.share(uri, 'demo:/2')!)), 'a');
      assert.equal(statSync(join(elsewhere, filesOf('demo:/2')[0]!)).nlink, 1);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it('lets the oldest of a session go, and only of that', () => {
    const contents = new DurableContents({ folder, folderOf }, 100);
    const [first, second] = ['a', 'b'].map((data) => contents.put('demo:/1', data.repeat(60), 'text/plain'));
    assert.equal(contents.read(first!.uri), undefined);
    const own = contents.share(second!.uri, 'demo:/2');
    contents.put('demo:/1', 'c'.repeat(100), 'text/plain');
    assert.equal(contents.read(second!.uri), undefined);
    assert.equal(text(contents.read(own!)), 'b'.repeat(60));
    assert.throws(() => contents.put('demo:/1', 'd'.repeat(101), 'text/plain'), RangeError);
  });
});

describe('contents of sessions on disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-contents-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** As in a new run of the host. */
  const open = (limit?: number) => {
    const folderOf = (session: string) => join(folder, session.padStart(32, '0'));
    const contents = new DurableContents({ folder, folderOf }, limit);
    return {
      put: (session: string, data: string | Uint8Array) => {
        mkdirSync(folderOf(session), { recursive: true });
        return contents.put(session, data, 'text/plain').uri;
      },
      read: (uri: string) => contents.read(uri)?.data.toString(),
      /** The file's time, so that the order does not hang on the clock's steps. */
      age: (uri: string, seconds: number) => utimesSync(join(folder, uri.split('/')[1]!, 'contents', uri.split('/')[2]!), seconds, seconds),
    };
  };

  it('drop the oldest of their session when it has too much, and no other’s', () => {
    // Each file takes a line with its type besides.
    const { put, read } = open(70);
    const [a, b] = ['aaaa', 'bbbb'].map((data) => put('1', data));
    const other = put('2', 'zzzz');
    const c = put('1', 'cccc');
    assert.deepEqual(
      [a, b, c, other].map((uri) => read(uri!)),
      [undefined, 'bbbb', 'cccc', 'zzzz'],
    );
  });

  it('count what earlier runs left, the oldest of which goes first', () => {
    const first = open(70);
    const [newer, older] = ['newer', 'older'].map((data) => first.put('1', data));
    first.age(newer!, 2_000);
    first.age(older!, 1_000);
    const { put, read } = open(70);
    const added = put('1', 'a');
    assert.deepEqual(
      [newer, older, added].map((uri) => read(uri!)),
      ['newer', undefined, 'a'],
    );
  });

  it('may be 256 MB of one session', () => {
    const { put } = open();
    assert.throws(() => put('1', new Uint8Array(256 * 1024 * 1024 + 1)), { name: 'RangeError', message: /keeps \(268435456\)/ });
  });
});
