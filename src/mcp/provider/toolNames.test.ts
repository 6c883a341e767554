import assert from 'node:assert/strict';
import { safeToolName } from './toolNames.ts';

describe('names of tools of MCP servers', () => {
  it('stay as they are where the gateway takes them', () => {
    for (const name of ['echo', 'a', 'A-Z_09', 'x'.repeat(64)]) assert.equal(safeToolName(name), name);
  });

  it('become legal ones that differ as they did', () => {
    const names = ['', 'a.b', 'a/b', 'a b', 'é', '\u0000', 'x'.repeat(65), 'x'.repeat(66), '工具'];
    const safe = names.map(safeToolName);
    for (const name of safe) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(new Set(safe).size, names.length);
    assert.match(safe[1] ?? '', /^a_b_[0-9a-f]{8}$/);
    assert.deepEqual(names.map(safeToolName), safe);
  });
});
