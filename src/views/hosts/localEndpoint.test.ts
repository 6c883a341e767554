import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseLocalEndpoint } from './localEndpoint.ts';

const entry = {
  schemaVersion: 2,
  type: 'editor',
  pid: 42,
  instanceId: 'a_b-c',
  protocolVersion: '0.9.0',
  connectionToken: 's3cret_-',
  endpoint: { type: 'socket', path: '/tmp/vscode-ah-1/x y.sock' },
};
const parse = (change: object, platform = 'linux') => parseLocalEndpoint(JSON.stringify({ ...entry, ...change }), platform);
const at = (path: string, platform?: string) => parse({ endpoint: { type: 'socket', path } }, platform);

describe('The entry of a local agent host', () => {
  it('gives the address, and the token apart from it', () => {
    assert.deepEqual(parse({ quality: 'stable', later: {} }), {
      type: 'editor',
      pid: 42,
      identity: 'editor\x0042\0a_b-c',
      protocolVersion: '0.9.0',
      token: 's3cret_-',
      at: { kind: 'socket', path: '/tmp/vscode-ah-1/x y.sock' },
      address: 'ws+unix:/tmp/vscode-ah-1/x%20y.sock',
    });
    for (const [host, address] of [
      ['127.0.0.1', 'ws://127.0.0.1:81/'],
      ['::1', 'ws://[::1]:81/'],
    ] as const)
      assert.equal((parse({ endpoint: { type: 'tcp', host, port: 81 } }) as { address: string }).address, address);
    const pipe = at('\\\\.\\pipe\\vscode-agent-host-1', 'win32');
    assert.equal((pipe as { address: string }).address, 'ws+unix://./pipe/vscode-agent-host-1');
  });

  it('is left out when anything is not as it should be, with a reason that quotes nothing', () => {
    for (const change of [
      { schemaVersion: 1 },
      { schemaVersion: 3 },
      { type: 'other' },
      { pid: 0 },
      { pid: 1.5 },
      { pid: '42' },
      { instanceId: '../x' },
      { protocolVersion: 'a\nb' },
      { connectionToken: '' },
      { connectionToken: 's3cret&x=1' },
      { endpoint: undefined },
      { endpoint: { type: 'pipe', path: '/x' } },
      { endpoint: { type: 'tcp', host: 's3cret.example', port: 1 } },
      { endpoint: { type: 'tcp', host: '0.0.0.0', port: 1 } },
      { endpoint: { type: 'tcp', host: '127.0.0.1', port: 65_536 } },
    ]) {
      const found = parse(change);
      assert.ok('problem' in found, JSON.stringify(change));
      assert.doesNotMatch(found.problem, /s3cret/);
    }
    for (const path of ['x.sock', './x.sock', '/a/../x.sock', '/a//x.sock', '/', '', '/a\nb', '\\\\.\\pipe\\x'])
      assert.ok('problem' in at(path), path);
    for (const path of ['/tmp/x.sock', '\\\\box\\pipe\\x', '\\\\.\\pipe\\a\\b', '\\\\.\\pipe\\', 'C:\\x.sock'])
      assert.ok('problem' in at(path, 'win32'), path);
    for (const text of ['', 'null', '[]', '{', `"${'x'.repeat(20_000)}"`]) assert.ok('problem' in parseLocalEndpoint(text, 'linux'));
  });
});
