import assert from 'node:assert/strict';
import { outsideLink } from './outsideLink.ts';

describe('a link in the page of the portal', () => {
  const page = 'http://127.0.0.1:8888/';

  it('leads nowhere where it leads to the portal, however it is written', () => {
    const hosts = [
      '127.0.0.1',
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      '127.1',
      '127.0.0.1.',
      '127.9.9.9',
      '2130706433',
      '0x7f000001',
    ];
    hosts.push(
      '0177.0.0.1',
      '0',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[0:0:0:0:0:0:0:1]',
      '１２７.0.0.1',
      'user:x@127.0.0.1',
      'good.example@localhost',
    );
    for (const host of hosts)
      for (const at of [
        `http://${host}:8888/api/stop`,
        `HTTP://${host}:08888`,
        `https://${host}:8888/`,
        `http:\\\\${host}:8888\\api`,
        `http:/${host}:8888`,
      ])
        assert.equal(outsideLink(at, page), undefined, at);
    for (const at of [
      'http:/api/stop',
      'http:api/stop',
      'http:',
      'http:?x',
      'http:\\api\\stop',
      'http:///127.0.0.1:8888/',
      'http://127.0.0.1\t:8888/',
    ])
      assert.equal(outsideLink(at, page), undefined, at);
    assert.equal(outsideLink('http://localhost/x', 'http://localhost/'), undefined, 'the port that needs not be said');
    assert.equal(outsideLink('http://portal.example:8888/', 'http://portal.example:8888/'), undefined, 'the name of the page itself');
  });

  it('leads nowhere where it is no address of a page or of mail', () => {
    for (const at of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'file:///etc/passwd',
      '/api/stop',
      '//localhost:8888/',
      'api/stop',
      '',
      'ht\ntp://x',
      'blob:http://x',
      'http://',
    ])
      assert.equal(outsideLink(at, page), undefined, at);
  });

  it('leads elsewhere as it is', () => {
    assert.equal(outsideLink('https://example.com/a?b#c', page), 'https://example.com/a?b#c');
    assert.equal(outsideLink('http://127.0.0.1:3000/', page), 'http://127.0.0.1:3000/', 'what the user builds');
    assert.equal(outsideLink('http://localhost', page), 'http://localhost/');
    assert.equal(outsideLink('https://example.com:8888/', page), 'https://example.com:8888/');
    assert.equal(outsideLink('mailto:a@example.com', page), 'mailto:a@example.com');
  });
});
