import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '@github/copilot-sdk';
import { McpServers } from './mcpServers.ts';

const changed = (serverName: string, status: string, error?: string) =>
  ({ type: 'session.mcp_server_status_changed', data: { serverName, status, error } }) as SessionEvent;
const loaded = (...servers: { name: string; status: string; error?: string }[]) =>
  ({ type: 'session.mcp_servers_loaded', data: { servers } }) as SessionEvent;

describe('MCP servers of a Copilot session', () => {
  const named = 'It is named in [`/nowhere/mcp-config.json`](<file:///nowhere/mcp-config.json>).';

  it('that are missing are told once, with the reason and the way to their file', () => {
    const servers = new McpServers('/nowhere');
    assert.equal(servers.problem(changed('a', 'pending')), undefined);
    assert.equal(servers.problem(changed('a', 'failed', 'it *ended*')), `The MCP server \`a\` is not there: it \\*ended\\*. ${named}`);
    assert.equal(servers.problem(changed('a', 'pending')), undefined);
    assert.equal(servers.problem(changed('a', 'failed', 'it ended')), undefined);
    assert.equal(
      servers.problem(loaded({ name: 'a', status: 'failed' }, { name: 'b', status: 'needs-auth' }, { name: 'c', status: 'connected' })),
      `The MCP server \`b\` is not there: it wants you to sign in, which is not possible here. ${named}`,
    );
  });

  it('that came back and are missing again are told again', () => {
    const servers = new McpServers('/nowhere');
    assert.match(servers.problem(changed('a', 'failed')) ?? '', /does not say why/);
    assert.equal(servers.problem(changed('a', 'connected')), undefined);
    assert.ok(servers.problem(changed('a', 'failed')));
  });

  it('that are there, stopped or disabled are nothing to tell', () => {
    const servers = new McpServers('/nowhere');
    for (const status of ['connected', 'pending', 'disabled', 'stopped', 'not_configured'])
      assert.equal(servers.problem(changed('a', status)), undefined);
    assert.equal(servers.problem({ type: 'session.idle', data: {} } as SessionEvent), undefined);
  });

  it('are none when their file cannot be read, which is told with its path', () => {
    const home = mkdtempSync(join(tmpdir(), 'tapline-mcp-'));
    const path = join(home, 'mcp-config.json');
    const servers = new McpServers(home);
    try {
      assert.equal(servers.fileProblem(), undefined);
      writeFileSync(path, '{"mcpServers": {}}');
      assert.equal(servers.fileProblem(), undefined);
      writeFileSync(path, '{ not json');
      assert.ok(servers.fileProblem()?.includes(path));
      assert.equal(servers.fileProblem(), undefined, 'once');
      for (const [config, said] of [
        ['{"servers": {"a": {}}}', /Rename “servers” in it/],
        ['{"mcpServers": []}', /needs an object with them, called “mcpServers”\.$/],
        ['[]', /needs an object/],
      ] as const) {
        const { revision } = servers;
        writeFileSync(path, config);
        assert.notEqual(servers.revision, revision);
        assert.match(servers.fileProblem() ?? '', said);
        writeFileSync(path, '{"mcpServers": {}}');
        assert.equal(servers.fileProblem(), undefined);
      }
      rmSync(path);
      mkdirSync(path);
      assert.ok(servers.fileProblem()?.includes(path), 'another problem');
      rmSync(path, { recursive: true });
      assert.equal(servers.fileProblem(), undefined);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
