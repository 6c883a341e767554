import assert from 'node:assert/strict';
import { encodedNameHint, originText, whoAsks } from './origin.ts';

describe('The origin of a page', () => {
  it('is shown as the browser writes it', () => {
    for (const origin of ['https://page.example', 'http://127.0.0.1:8080', 'http://[::1]:3000', 'https://xn--80ak6aa92e.com'])
      assert.equal(originText(origin), origin);
    assert.equal(originText('null'), 'a page without an address');
    assert.equal(originText('file://'), 'a page from a file');
  });

  it('is never shown as the origin of another page', () => {
    const good = 'https://bank.example';
    for (const [origin, shown] of [
      ['https://bаnk.example', '"https://b[U+0430]nk.example"'], // a Cyrillic a
      ['https://bank.example\u200b', '"https://bank.example[U+200B]"'],
      ['\u202ehttps://bank.example', '"[U+202E]https://bank.example"'],
      ['https://bank.example@evil.example', '"https://bank.example@evil.example"'],
      ['https://bank.example/', '"https://bank.example/"'],
      ['https://bank.example ', '"https://bank.example "'],
      ['HTTPS://bank.example', '"HTTPS://bank.example"'],
      ['https://bank.example:443', '"https://bank.example:443"'],
      ['chrome-extension://abc', '"chrome-extension://abc"'],
    ] as const) {
      assert.equal(originText(origin), `the unusual origin ${shown}`);
      assert.notEqual(originText(origin), good);
    }
  });

  it('keeps the end of a long name, which says whose it is', () => {
    const text = originText(`https://bank.example.${'a.'.repeat(80)}evil.example`);
    assert.ok(text.length <= 121, String(text.length));
    assert.match(text, /^https:\/\/….*\.evil\.example$/);
    assert.ok(!text.includes('bank'));
  });

  it('comes with a hint where its name is encoded', () => {
    assert.match(encodedNameHint('https://xn--80ak6aa92e.com') ?? '', /look like others/);
    assert.match(encodedNameHint('https://login.xn--80ak6aa92e.com') ?? '', /look like others/);
    for (const origin of [undefined, 'null', 'https://page.example', 'https://notxn--x.example'])
      assert.equal(encodedNameHint(origin), undefined);
  });

  it('is named with what it is', () => {
    assert.equal(whoAsks(undefined), 'a program on this computer');
    assert.equal(whoAsks('https://page.example'), 'the page https://page.example');
    assert.equal(whoAsks('null'), 'a page without an address');
  });
});
