import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../../base/node/sha256.ts';
import { programText } from './programText.ts';

describe('the text of a program that a workspace names', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-program-'));
    path = join(folder, 'a.mjs');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const of = async (content: string) => {
    writeFileSync(path, content);
    return programText({ target: { kind: 'module', path, sha256: sha256(content) } });
  };

  it('shows what cannot be seen, and what stands far to the right', async () => {
    const text = `\tif (a\u202e) b();\r\nx;${' '.repeat(1_998)}evil();\n`;
    assert.deepEqual(await of(text), { path, text: `\tif (a\\u{202e}) b();\nx;${' '.repeat(998)}\n…${' '.repeat(1_000)}\n…evil();\n` });
  });

  it('says why there is none', async () => {
    assert.deepEqual(await of('a\0b'), { whyNot: 'noText' });
    assert.deepEqual(await of('a'.repeat(1024 * 1024 + 1)), { whyNot: 'tooLong' });
    const changed = await programText({ target: { kind: 'module', path, sha256: sha256('') } });
    assert.deepEqual(changed, { whyNot: 'changed' });
    assert.equal(await programText({ target: { kind: 'endpoint', url: 'https://a.example' } }), undefined);
  });
});
