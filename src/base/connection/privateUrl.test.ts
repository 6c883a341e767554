import assert from 'node:assert/strict';
import { isPrivateUrl, isThisComputer, mayName } from './privateUrl.ts';

describe('isPrivateUrl', () => {
  for (const url of ['https://example.com/a', 'http://localhost:80/', 'http://127.0.0.1:9/', 'http://127.1/', 'http://[::1]:4/'])
    it(`takes ${url}`, () => assert.ok(isPrivateUrl(new URL(url))));
  for (const url of [
    'http://example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'ftp://localhost/',
    'vscode://127.0.0.1/',
  ])
    it(`refuses ${url}`, () => assert.ok(!isPrivateUrl(new URL(url))));
});

describe('isThisComputer', () => {
  for (const host of [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '127.0.0.1',
    '127.8',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:0.0.0.0]',
  ])
    it(`is true of ${host}`, () => assert.ok(isThisComputer(new URL(`https://${host}/`))));
  for (const host of ['localhost.example', 'notlocalhost', '128.0.0.1', '127.0.0.1.example.com', '[2001:db8::1]', '[::ffff:10.0.0.1]'])
    it(`is not true of ${host}`, () => assert.ok(!isThisComputer(new URL(`https://${host}/`))));
});

describe('mayName', () => {
  it('lets only a server of this computer name addresses of this computer', () => {
    const [here, there] = [new URL('http://127.0.0.1:5'), new URL('https://a.example')];
    assert.ok(mayName(here, new URL('http://127.0.0.1:6')) && mayName(here, there) && mayName(there, new URL('https://b.example')));
    assert.ok(!mayName(there, here) && !mayName(here, new URL('http://b.example')));
    assert.ok(!mayName(there, new URL('https://localhost:8443/')) && mayName(new URL('https://localhost'), here));
  });
});
