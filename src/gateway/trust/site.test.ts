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

  it('of an address is all its ports, because it has one owner', () => {
    for (const origin of ['http://203.0.113.7', 'https://203.0.113.7:8443', 'http://203.0.113.7:1'])
      assert.equal(siteOf(origin), '203.0.113.7');
    // Whoever has one address of version 6 has 2^64.
    const network = ['http://[2001:db8::1]', 'https://[2001:db8:0:0:a:b:c:d]:8443', 'http://[2001:db8::a:b:c:d]:1'].map(siteOf);
    assert.equal(new Set(network).size, 1);
    for (const other of ['http://[2001:db8::1:0:0:0:1]', 'http://[2001:db8:1::1]', 'http://203.0.113.8'])
      assert.equal([...network, '203.0.113.7'].includes(siteOf(other)), false, other);
  });

  it('of this machine and of an extension is the origin itself', () => {
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
