import assert from 'node:assert/strict';
import { requestTarget } from './requestTarget.ts';

describe('the target of a request', () => {
  it('has one spelling', () => {
    const cases: [string, string, string?][] = [
      ['/', '/'],
      ['/?token=a/../b', '/', '?token=a/../b'],
      ['/api/stop', '/api/stop'],
      ['/%61pi/%73top', '/api/stop'],
      ['/api%2fstop', '/api%2Fstop'],
      ['/api/a%2Fb%25%20é', '/api/a%2Fb%25%20%C3%A9'],
      ['/%2561pi/stop', '/%2561pi/stop'],
      ['/x\\..\\api', '/x%5C..%5Capi'],
      ['/api/stop#x', '/api/stop%23x'],
      ['/API/stop', '/API/stop'],
      ['/a\nb', '/a%0Ab'],
      ['/...', '/...'],
      ['/%zz/api', '/%25zz/api'],
      ['/%61pi%', '/%2561pi%25'],
      ['/%c1%a1pi', '/%25c1%25a1pi'],
    ];
    for (const [url, path, query = ''] of cases) assert.deepEqual(requestTarget(url), { path, query }, url);
    // What it is made into stays as it is, also for a URL parser.
    for (const [, path] of cases) {
      assert.deepEqual(requestTarget(path), { path, query: '' });
      assert.equal(new URL(`http://localhost${path}`).pathname, path);
    }
  });

  it('is none where it can be read in two ways', () => {
    const urls = [
      '',
      '*',
      'api/stop',
      'http://localhost/api/stop',
      '//api/stop',
      '/api//stop',
      '/api/',
      '//',
      '/../api',
      '/x/../api',
      '/./api',
      '/x/.',
    ];
    for (const url of [...urls, '/%2e%2e/api', '/x/.%2E/api', '/%2e/api', '/api%00']) assert.equal(requestTarget(url), undefined, url);
  });
});
