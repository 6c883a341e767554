import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isAddressHere, isSameServer, parseHostUrl, socketAddress, socketOf } from './hostUrl.ts';

describe('parseHostUrl', () => {
  it('puts the token into the query, and into nothing that is shown', () => {
    const url = parseHostUrl('ws://localhost:8081/ahp?x=1', 's3cr&t');
    assert.equal(new URL(url?.connect ?? '').searchParams.get('tkn'), 's3cr&t');
    assert.equal(url?.display, 'localhost:8081/ahp');
    assert.equal(url?.redact(`failed: ${url.connect} (s3cr&t)`).includes('s3cr'), false);
  });
  it('hides a token that is part of the URL', () => {
    const url = parseHostUrl('wss://example.org?tkn=abcdef');
    assert.equal(url?.display, 'example.org');
    assert.equal(url?.redact('wss://example.org/?tkn=abcdef'), 'wss://example.org/?tkn=…');
  });
  it('is named with its address, which is said once where it is the name', () => {
    const places = [undefined, 'build box', 'localhost:1'].map((name) => parseHostUrl('ws://localhost:1', undefined, name)?.place);
    assert.deepEqual(places, ['localhost:1', 'build box (localhost:1)', 'localhost:1']);
  });
  it('takes web addresses as well, and nothing else', () => {
    assert.equal(parseHostUrl('http://localhost:1')?.connect, 'ws://localhost:1/');
    assert.equal(parseHostUrl('https://localhost:1')?.connect, 'wss://localhost:1/');
    for (const text of ['', 'localhost:1', 'file:///x', 'ws://', 'no url']) assert.equal(parseHostUrl(text), undefined, text);
  });
  it('takes sockets and named pipes', () => {
    for (const [text, path, target, address = text] of [
      ['ws+unix:/run/host.sock', '/run/host.sock', '/'],
      ['ws+unix:///run/host.sock', '/run/host.sock', '/', 'ws+unix:/run/host.sock'],
      ['ws+unix:/run/host.sock:/', '/run/host.sock', '/', 'ws+unix:/run/host.sock'],
      ['ws+unix:/run/host.sock:/ahp?x=1', '/run/host.sock', '/ahp?x=1'],
      ['ws+unix:/a b/50%25%3A.sock', '/a b/50%:.sock', '/', 'ws+unix:/a%20b/50%25%3A.sock'],
      ['ws+unix://./pipe/host-1', '\\\\.\\pipe\\host-1', '/'],
    ] as const) {
      const parsed = parseHostUrl(text);
      assert.deepEqual(socketOf(parsed?.connect ?? ''), { path, target }, text);
      assert.equal(parsed?.address, address);
      assert.equal(parseHostUrl(socketAddress(path))?.display, path);
    }
    for (const text of ['', 'x.sock', '//box/x.sock', '/', '/run/', '/a%00b', '/50%', '/x:y', '//./pipe/', '//./other/x', '//./pipe/a/b'])
      assert.equal(parseHostUrl(`ws+unix:${text}`), undefined, text);
    assert.equal(socketOf('ws://localhost/'), undefined);
  });
  it('keeps the token of a socket out of what is shown and stored', () => {
    for (const text of ['ws+unix:/run/host.sock?tkn=s3cr%26t', 'ws+unix:/run/host.sock:/?tkn=s3cr%26t']) {
      const url = parseHostUrl(text);
      assert.deepEqual([url?.address, url?.display, url?.token], ['ws+unix:/run/host.sock', '/run/host.sock', 's3cr&t']);
      assert.equal(socketOf(url?.connect ?? '')?.target, '/?tkn=s3cr%26t');
      assert.doesNotMatch(url?.redact(`failed: ${url.connect} (s3cr&t)`) ?? '', /s3cr/);
    }
    assert.equal(parseHostUrl('ws+unix:/run/host.sock', 'new')?.connect, 'ws+unix:/run/host.sock:/?tkn=new');
  });
  it('is one of this computer, or of another', () => {
    for (const here of ['ws://localhost:1', 'wss://127.0.0.1/a', 'ws://[::1]:2', 'ws+unix:/run/a.sock'])
      assert.ok(isAddressHere(here), here);
    for (const there of ['ws://box:1', 'wss://localhost.example', 'ftp://localhost', 'nonsense']) assert.ok(!isAddressHere(there), there);
  });

  it('tells servers apart that must not get the token of another', () => {
    assert.ok(isSameServer('ws://box:1/a', 'ws://box:1/b?x=1'));
    assert.ok(isSameServer('ws+unix:/run/a.sock', 'ws+unix:/run/a.sock:/b'));
    for (const [one, other] of [
      ['ws://box:1', 'ws://box:2'],
      ['ws://box:1', 'wss://box:1'],
      ['ws+unix:/run/a.sock', 'ws+unix:/run/b.sock'],
      ['no url', 'no url'],
    ] as const)
      assert.equal(isSameServer(one, other), false, `${one} ${other}`);
  });
});
