import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { isToken, keptToken } from './keptToken.ts';

describe('a token in a file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-token-'));
    file = join(folder, 'data', 'token');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made where there is none, for its user alone, and stays the same', () => {
    const token = keptToken(file);
    assert.ok(isToken(token));
    assert.equal(keptToken(file), token);
    assert.equal(readFileSync(file, 'utf8'), `${token}\n`);
    if (process.getuid) assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(join(folder, 'data')), ['token']);
  });

  it('is another one when that is asked for', () => {
    const token = keptToken(file);
    const next = keptToken(file, { isNew: true });
    assert.notEqual(next, token);
    assert.equal(keptToken(file), next);
    assert.deepEqual(readdirSync(join(folder, 'data')), ['token']);
  });

  it('is refused, with what can be done, when it is none or others can read it', () => {
    keptToken(file);
    for (const text of ['', 'short', `${'x'.repeat(30)} ${'y'.repeat(30)}`, `${'x'.repeat(30)}\u00e9`]) {
      writeFileSync(file, text);
      assert.throws(
        () => keptToken(file),
        new UserError(`The token in ${file} must have 22 characters or more, and no spaces. Remove it, and a new token is made.`),
      );
      assert.equal(readFileSync(file, 'utf8'), text);
    }
    if (!process.getuid) return;
    writeFileSync(file, 'x'.repeat(43));
    chmodSync(file, 0o644);
    assert.throws(() => keptToken(file), /only you can read and write\. Remove it, and a new token is made\./);
    const next = keptToken(file, { isNew: true });
    assert.equal(keptToken(file), next);
  });
});
