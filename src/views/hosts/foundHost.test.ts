import assert from 'node:assert/strict';
import { foundHost } from './foundHost.ts';

const agents = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ provider: `p${index}`, displayName: `Agent ${index}`, description: '', models: [] }));
const root = (count: number) => ({ agents: agents(count) }) as never;

describe('what is said of a host that was found', () => {
  it('names it with its version and its agents', () => {
    const found = { serverInfo: { name: 'Box', version: '3' }, version: '1.0.0', root: root(2) };
    assert.equal(foundHost(found), 'Box 3, protocol 1.0.0, with 2 agents: Agent 0, Agent 1');
  });

  it('does without what the host does not say', () => {
    assert.equal(foundHost({ serverInfo: undefined, version: '1', root: undefined }), 'An agent host, protocol 1');
    assert.equal(foundHost({ serverInfo: {}, version: '1', root: root(0) }), 'An agent host, protocol 1, without agents so far');
  });

  it('cuts what a host says at length, and counts agents that it does not name', () => {
    const serverInfo = { name: 'x'.repeat(1e6), version: { deep: true } } as never;
    const text = foundHost({ serverInfo, version: '1'.repeat(1e6), root: root(5_000) });
    assert.ok(text.length < 600, String(text.length));
    assert.match(text, /more$/);
  });
});
