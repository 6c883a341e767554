import assert from 'node:assert/strict';
import { ContentStore, withContents } from './contentStore.ts';

describe('ContentStore', () => {
  const text = (content: { data: Uint8Array } | undefined) => content && new TextDecoder().decode(content.data);

  it('gives back what was put, under a URI of its own each time', () => {
    const store = new ContentStore();
    const first = store.put('demo:/1', 'grüße', 'text/plain');
    const second = store.put('demo:/1', 'grüße', 'text/plain');
    assert.notEqual(first.uri, second.uri);
    assert.deepEqual([first.sizeHint, first.contentType], [7, 'text/plain']);
    assert.equal(text(store.read(first.uri)), 'grüße');
    assert.equal(store.read(first.uri)?.contentType, 'text/plain');
    assert.equal(store.read(`${first.uri}x`), undefined);
  });

  it('keeps its own copy of bytes', () => {
    const store = new ContentStore();
    const bytes = Uint8Array.of(1, 2);
    const { uri } = store.put('demo:/1', bytes, 'application/octet-stream');
    bytes[0] = 9;
    assert.deepEqual(store.read(uri)?.data, Uint8Array.of(1, 2));
  });

  it('forgets a session and only that', () => {
    const store = new ContentStore();
    const gone = store.put('demo:/1', 'a', 'text/plain');
    const kept = store.put('demo:/2', 'b', 'text/plain');
    store.disposeOfSession('demo:/1');
    assert.equal(store.read(gone.uri), undefined);
    assert.equal(text(store.read(kept.uri)), 'b');
  });

  it('keeps what is shared until the last of its sessions is gone', () => {
    const store = new ContentStore(10);
    const { uri } = store.put('demo:/1', 'aaaa', 'text/plain');
    assert.equal(store.share(uri, 'demo:/2'), uri);
    assert.equal(store.share(`${uri}x`, 'demo:/2'), undefined);
    store.disposeOfSession('demo:/1');
    assert.equal(text(store.read(uri)), 'aaaa');
    store.disposeOfSession('demo:/2');
    assert.equal(store.read(uri), undefined);
    // It was counted once: there is room for all again.
    const all = ['b', 'c'].map((data) => store.put('demo:/3', data.repeat(5), 'text/plain'));
    assert.deepEqual(
      all.map((ref) => text(store.read(ref.uri))),
      ['bbbbb', 'ccccc'],
    );
  });

  it('copies what another session holds, with references to contents and nothing else changed', () => {
    const shared: [string, string][] = [];
    const contents = {
      ...new ContentStore(),
      share: (uri: string, session: string) => (shared.push([uri, session]), uri.endsWith('gone') ? undefined : 'tapline-content:/own'),
    } as unknown as ContentStore;
    const kept = 'tapline-content:/kept';
    const value = {
      text: kept,
      edits: [{ content: { uri: kept } }, { content: { uri: kept } }],
      uri: 'file:///f',
      other: { uri: 'tapline-content:/gone' },
    };
    assert.deepEqual(withContents(value, 'demo:/2', contents), {
      ...value,
      edits: [{ content: { uri: 'tapline-content:/own' } }, { content: { uri: 'tapline-content:/own' } }],
    });
    assert.deepEqual(shared, [
      [kept, 'demo:/2'],
      ['tapline-content:/gone', 'demo:/2'],
    ]);
  });

  it('drops the oldest when there is too much, and frees what a session had', () => {
    const store = new ContentStore(10);
    const [a, b, c] = ['aaaa', 'bbbb', 'cccc'].map((data, index) => store.put(`demo:/${index}`, data, 'text/plain'));
    assert.ok(a && b && c);
    assert.deepEqual(
      [a, b, c].map((ref) => text(store.read(ref.uri))),
      [undefined, 'bbbb', 'cccc'],
    );
    store.disposeOfSession('demo:/1');
    store.put('demo:/3', 'dddd', 'text/plain');
    assert.equal(text(store.read(c.uri)), 'cccc');
    assert.throws(() => store.put('demo:/4', 'x'.repeat(11), 'text/plain'), RangeError);
    assert.equal(text(store.read(c.uri)), 'cccc');
  });
});
