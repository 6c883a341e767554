import assert from 'node:assert/strict';
import { isPrivateUrl } from './privateUrl.ts';

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
