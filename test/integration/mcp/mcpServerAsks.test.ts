/** What an MCP server of the user may ask of Tapline, and what it has to say beside its results. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { mcpScript, MCP_WAIT_MS } from '../../support/mcpServers.ts';
import { Program } from '../../support/programs.ts';
import { TestOwner } from '../gateway/gatewayHarness.ts';

const server = { command: process.execPath, args: [join(import.meta.dirname, '../../support/askingMcpServer.mjs')] };

describe('an MCP server of the user', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  let session: OwnedSession;
  let program: Program;
  before(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    await owner.connected();
    session = owner.client.addSession({ sessionId: 'a', label: 'a', cwd: join(home.folder, 'a b') });
    mkdirSync(home.env.TAPLINE_HOME, { recursive: true });
    writeFileSync(join(home.env.TAPLINE_HOME, 'mcp.json'), JSON.stringify({ mcpServers: { asking: server } }));
    const env = { ...process.env, ...home.env, TAP_PROVIDER_TOKEN: '' };
    program = new Program(spawn(process.execPath, [mcpScript, 'provider'], { stdio: ['ignore', 'pipe', 'pipe'], env }));
    await owner.next('tools/changed', ({ tools }) => tools.some(({ name }) => name === 'roots'), MCP_WAIT_MS);
  });
  after(async () => {
    owner.dispose();
    program.child.kill('SIGTERM');
    assert.equal(await program.ended(), 0, program.output);
    await gateway.stop('SIGKILL');
    home.remove();
  });

  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const outcome = await session.call(name, args);
    return outcome.ok ? (JSON.parse('data' in outcome ? String(outcome.data) : '') as unknown) : outcome.error;
  };
  const root = (name: string) => ({ uri: pathToFileURL(join(home.folder, name)).href, name });

  it('gets the folders of the sessions that have its tools, and hears of changes', async () => {
    assert.deepEqual(await call('roots'), [root('a b')]);
    const next = call('next_roots');
    const other = owner.client.addSession({ sessionId: 'b', label: 'b', cwd: join(home.folder, 'b') });
    assert.deepEqual(await next, [root('a b'), root('b')]);
    const after = call('next_roots');
    await other.end();
    assert.deepEqual(await after, [root('a b')]);
  });

  it('writes its log beside its output, line by line and without control characters', async () => {
    await call('log', { data: 'disk\u001b[31m is\nfull' });
    await call('log', { data: { left: 0 } });
    await call('log', { data: 'x'.repeat(100_000) });
    const lines = readFileSync(join(home.env.TAPLINE_HOME, 'mcp-asking.log'), 'utf8').split('\n');
    assert.ok(lines.includes('[warning] the logger: disk [31m is full'), lines.join('\n'));
    assert.ok(lines.includes('[warning] the logger: {"left":0}'));
    assert.ok(lines.every(({ length }) => length < 2_100));
  });

  it('is told what it cannot ask for, and why', async () => {
    assert.deepEqual(await call('capabilities'), { roots: { listChanged: true } });
    assert.match(String(await call('sample')), /lets no server use a model/);
    assert.match(String(await call('ask')), /no way to ask the user/);
  });
});
