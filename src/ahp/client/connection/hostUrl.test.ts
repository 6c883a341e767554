import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseHostUrl } from './hostUrl.ts';

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
  it('takes web addresses as well, and nothing else', () => {
    assert.equal(parseHostUrl('http://localhost:1')?.connect, 'ws://localhost:1/');
    assert.equal(parseHostUrl('https://localhost:1')?.connect, 'wss://localhost:1/');
    for (const text of ['', 'localhost:1', 'file:///x', 'ws://', 'no url']) assert.equal(parseHostUrl(text), undefined, text);
  });
});
