import assert from 'node:assert/strict';
import { isFilePath } from './filePath.ts';

describe('Code in a sentence', () => {
  it('is a file when it looks like its path', () => {
    for (const code of [
      'src/a.ts',
      './a.ts:12',
      '../b/c.py:3:14',
      '/home/ada/x.go#L10',
      'a.ts#L10-L20',
      'package.json',
      'src/@types/x.d.ts',
      '.github/ci.yml',
    ])
      // prettier-ignore
      assert.ok(isFilePath(code), code);
  });

  it('is none when it is something else', () => {
    for (const code of [
      'Math.random',
      'a.length',
      'origin/main',
      'and/or',
      'npm test',
      'f(a.ts)',
      '//server/a.ts',
      '~/a.ts',
      '--config=a.ts',
      'https://x.org/a.html',
      'javascript:a.js',
      'C:/a.ts',
      '1.5',
      'v2.0',
      'a.ts\n',
      'a\u202e.ts',
      `${'a/'.repeat(200)}b.ts`,
    ])
      // prettier-ignore
      assert.ok(!isFilePath(code), code);
  });
});
