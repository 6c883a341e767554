import assert from 'node:assert/strict';
import { OPAQUE, siteOf } from './site.ts';

describe('the site of an origin', () => {
  it('is the domain without its subdomains', () => {
    for (const origin of [
      'https://page.example',
      'http://page.example:8080',
      'https://a.page.example',
      'https://B.A.Page.Example',
      'https://page.example.',
    ])
      assert.equal(siteOf(origin), 'page.example', origin);
    assert.notEqual(siteOf('https://other.example'), siteOf('https://page.example'));
  });

  it('of this machine, of an address and of an extension is the origin itself', () => {
    for (const origin of [
      'http://localhost:3000',
      'http://app.localhost:3000',
      'http://127.0.0.1:80',
      'http://[::1]:3000',
      'chrome-extension://abc',
    ])
      assert.equal(siteOf(origin), origin);
  });

  it('is the same for all opaque origins', () => {
    for (const origin of ['null', 'file://', '']) assert.equal(siteOf(origin), OPAQUE, origin);
  });
});
