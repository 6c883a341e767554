/** MCP servers of the user as providers at a real gateway. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { mcpScript, MCP_WAIT_MS } from '../../support/mcpServers.ts';
import { startPrintingProcess } from '../../support/printingProcess.ts';
import { processesWith, untilGone } from '../../support/processes.ts';
import { Program } from '../../support/programs.ts';
import { TestOwner } from '../gateway/gatewayHarness.ts';

const smallServer = join(import.meta.dirname, '../../support/smallMcpServer.mjs');
const small = { command: process.execPath, args: [smallServer] };

describe('the provider of MCP servers', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  let session: OwnedSession;
  let program: Program | undefined;
  beforeEach(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    owner = new TestOwner(async () => readDaemonRecord(home.lockFile) ?? assert.fail('a gateway runs'));
    await owner.connected();
    session = await owner.session('a');
  });
  afterEach(async () => {
    owner.dispose();
    program?.child.kill('SIGTERM');
    const code = await program?.ended();
    await gateway.stop('SIGKILL');
    await endDaemons(home.lockFile);
    home.remove();
    if (program) assert.equal(code, 0, program.output);
    program = undefined;
  });

  const lend = (mcpServers: Record<string, unknown>) => {
    const file = join(home.env.TAPLINE_HOME, 'mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers }));
    const env = { ...process.env, ...home.env, TAP_PROVIDER_TOKEN: '', SECRET_OF_OURS: 'not for servers' };
    program = new Program(spawn(process.execPath, [mcpScript, 'provider'], { stdio: ['ignore', 'pipe', 'pipe'], env }));
    return program;
  };
  /** Of providers other than the gateway's own. */
  const lent = (params: { tools: { name: string; provider: string }[] }) =>
    params.tools.filter(({ provider }) => provider !== 'tap').map(({ name }) => name);
  /** As the gateway has told them last. */
  const untilTools = async (fits: (names: string[]) => boolean, sessionId = 'a') => {
    const isLast = (params: object) =>
      params === owner.events.findLast((heard) => heard.event === 'tools/changed' && heard.params.sessionId === sessionId)?.params;
    return lent(await owner.next('tools/changed', (params) => isLast(params) && fits(lent(params)), MCP_WAIT_MS));
  };
  const untilOutput = async (pattern: RegExp) => {
    const { child } = program ?? assert.fail('it runs');
    const found = new Promise<void>((resolve) => {
      const look = () => void (pattern.test(program?.output ?? '') && resolve());
      child.stderr?.on('data', look);
      look();
    });
    await withTimeout(found, MCP_WAIT_MS, String(pattern)).catch((error: Error) => assert.fail(`${error.message}:\n${program?.output}`));
  };
  const call = async (tool: string, args: object = {}) => {
    const outcome = await session.call(tool, args);
    return outcome.ok && 'data' in outcome ? outcome.data : outcome;
  };

  it('lends the tools of a server to every session, under names that the gateway takes', async () => {
    lend({ small: { ...small, env: { GIVEN: 'yes' } } });
    const names = await untilTools((all) => all.length === 8);
    assert.deepEqual(names.slice(0, 7), ['echo', 'wait', 'fail', 'image', 'environment', 'add', 'crash']);
    assert.match(names[7] ?? '', /^files_read_all_[0-9a-f]{8}$/);
    await untilOutput(/The tool “no_schema” of “small” is left out: .*\$async/);
    assert.equal(await call('echo', { text: 'hello' }), 'hello');
    assert.equal(await call(names[7] ?? ''), 'all files');
    assert.match(JSON.stringify(await call('echo', { text: 1 })), /text must be string.*INVALID_ARGUMENTS/);
    const { content } = (await call('image')) as { content: { type: string; text?: string; data?: string }[] };
    assert.deepEqual(
      content.map(({ type }) => type),
      ['text', 'image'],
    );
    assert.match(content[1]?.data ?? '', /^iVBOR/);
    const environment = JSON.parse(String(await call('environment'))) as Record<string, string>;
    assert.equal(environment.GIVEN, 'yes');
    for (const name of ['SECRET_OF_OURS', 'TAP_PROVIDER_TOKEN', 'TAPLINE_HOME', 'COPILOT_HOME'])
      assert.equal(environment[name], undefined, name);
    owner.client.addSession({ sessionId: 'b', label: 'later' });
    assert.equal((await untilTools((all) => all.length === 8, 'b')).length, 8);
    assert.match(readFileSync(join(home.env.TAPLINE_HOME, 'mcp-small.log'), 'utf8'), /the small server starts/);
  });

  it('passes progress, cancels and errors on', async () => {
    lend({ small });
    await untilTools((all) => all.length === 8);
    const controller = new AbortController();
    let heard: (message: string) => void = () => undefined;
    const progress = new Promise<string>((resolve) => (heard = resolve));
    const waiting = session.call('wait', {}, controller.signal, heard);
    assert.equal(await withTimeout(progress, MCP_WAIT_MS, 'the progress'), 'half way');
    controller.abort('enough');
    const cancelled = await waiting;
    assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
    const log = join(home.env.TAPLINE_HOME, 'mcp-small.log');
    for (let tries = 0; !/cancelled: .*enough/.test(readFileSync(log, 'utf8')); tries++) {
      assert.ok(tries < 100, readFileSync(log, 'utf8'));
      await call('echo', { text: 'a round trip' });
    }
    const failed = await session.call('fail', {});
    assert.deepEqual(!failed.ok && [failed.errorCode, failed.error], ['INTERNAL', 'there is no such file']);
  });

  it('follows the list of a server', async () => {
    lend({ small });
    await untilTools((all) => all.length === 8);
    await untilOutput(/“no_schema” of “small” is left out/);
    assert.equal(await call('add'), 'added');
    await untilTools((all) => all.includes('added') && all.includes('echo'));
    const changes = owner.events.filter((heard) => heard.event === 'tools/changed').map((heard) => lent(heard.params as never));
    const first = changes.findIndex((names) => names.length === 8);
    assert.ok(
      changes.slice(first).every((names) => names.length >= 8),
      'a tool that is refused makes no other go away for a moment',
    );
    assert.equal(program?.output.match(/is left out/g)?.length, 1, 'it is refused once');
  });

  it('ends the call in which a server ends, and starts it again', async () => {
    const { output } = lend({ small });
    assert.equal(output, '');
    await untilTools((all) => all.length === 8);
    const lost = await session.call('crash', {});
    assert.deepEqual(!lost.ok && [lost.errorCode, lost.error], ['DISCONNECTED', 'the MCP server “small” ended during the call']);
    await untilTools((all) => all.length === 0);
    await untilOutput(/The MCP server “small” is not connected: it has ended\. Its output is in .*mcp-small\.log\. The next attempt is in/);
    await untilTools((all) => all.length === 8);
    assert.equal(await call('echo', { text: 'again' }), 'again');
  });

  it('comes to the gateway that takes the place of one that was killed', async () => {
    lend({ small });
    await untilTools((all) => all.length === 8);
    await untilOutput(/“no_schema” of “small” is left out/);
    await gateway.stop('SIGKILL');
    owner.events.length = 0;
    gateway = await startGatewayProcess(home);
    await untilTools((all) => all.length === 8);
    assert.equal(await call('echo', { text: 'again' }), 'again');
    assert.equal(program?.output.match(/is left out/g)?.length, 1, 'what was refused is not tried again');
  });

  it('lends a server elsewhere, with the headers that it asks for, and notices when it has gone', async () => {
    const start = (port: string) => startPrintingProcess<{ url: string }>('small server', smallServer, ['http', port]);
    let server = await start('0');
    const { url } = server.said;
    try {
      lend({ far: { url, headers: { 'X-Key': 'right' } }, refused: { type: 'http', url, headers: { 'X-Key': 'wrong-secret' } } });
      await untilTools((all) => all.length === 8);
      assert.equal(await call('echo', { text: 'far away' }), 'far away');
      await untilOutput(/The MCP server “refused” is not connected: .*The next attempt is in/);
      assert.ok(!program?.output.includes('wrong-secret'));
      await server.stop('SIGKILL');
      const lost = await session.call('echo', { text: 'x' });
      assert.ok(!lost.ok && lost.errorCode === 'DISCONNECTED');
      assert.match(lost.error, /No answer from the MCP server “far”/);
      await untilTools((all) => all.length === 0);
      server = await start(new URL(url).port);
      await untilTools((all) => all.length === 8);
      assert.equal(await call('echo', { text: 'back' }), 'back');
    } finally {
      await server.stop('SIGKILL');
    }
  });

  it('puts the name of a server before its tools where another has them already', async () => {
    lend({ small });
    await untilTools((all) => all.length === 8);
    const first = program;
    assert.ok(first);
    try {
      lend({ 'second one': small });
      await untilOutput(/Another provider has a tool with the same name as one of “second one”/);
      const names = await untilTools((all) => all.length === 16);
      assert.ok(names.includes('echo'));
      const second = names.find((name) => /^second_one_echo_[0-9a-f]{8}$/.test(name));
      assert.equal(await call(second ?? '', { text: 'mine' }), 'mine');
    } finally {
      first.child.kill('SIGTERM');
      assert.equal(await first.ended(), 0);
    }
  });

  it('does not lend Tapline’s own server to itself', async () => {
    mkdirSync(home.env.TAPLINE_HOME, { recursive: true });
    lend({ tapline: { command: process.execPath, args: [mcpScript], env: home.env } });
    await untilOutput(/\[error\] The MCP server “tapline” is not connected: it is Tapline’s own server/);
  });

  it('ends its servers with itself, also when it is killed', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { child, exited } = lend({ small: { ...small, args: [smallServer, 'stdio', home.folder] } });
      await untilTools((all) => all.length === 8);
      const pids = processesWith(home.folder).filter((pid) => pid !== child.pid && pid !== gateway.pid);
      assert.equal(pids.length, 1);
      child.kill(signal);
      await withTimeout(exited, MCP_WAIT_MS, 'its end');
      await untilGone(...pids);
      await untilTools((all) => all.length === 0);
    }
    program = undefined;
  });

  it('says what is wrong with an entry of the list, and lends the others', async () => {
    lend({ bad: { command: 7, env: { KEY: 'sk-secret' } }, small, far: { url: 'https://me:sk-secret@x.example' } });
    await untilTools((all) => all.length === 8);
    await untilOutput(/\[error\] .*mcp\.json: mcpServers\.bad\.command: .*\. This server is left out\./);
    await untilOutput(/\[error\] .*mcp\.json: mcpServers\.far\.url: .*\. This server is left out\./);
    await untilOutput(/Lending the tools of “small”, as/);
    assert.equal(await call('echo', { text: 'hello' }), 'hello');
    assert.ok(!program?.output.includes('sk-secret'));
  });

  it('does not say what stands after the name of a program that cannot be started', async () => {
    lend({ small, line: { command: 'npx -y x --key=sk-secret' }, away: { command: 'no-such-program', args: ['sk-secret'] } });
    await untilTools((all) => all.length === 8);
    await untilOutput(
      /“line” is not connected: it cannot be started \(ENOENT\)\. “command” is the program alone; its arguments belong into “args”/,
    );
    await untilOutput(/“away” is not connected: spawn no-such-program ENOENT/);
    assert.ok(!program?.output.includes('sk-secret'));
  });

  it('ends and starts nothing where the list has no server that can run', async () => {
    const wrong = lend({ bad: { command: 7 }, off: { ...small, disabled: true } });
    assert.equal(await wrong.ended(), 1);
    assert.match(wrong.output, /mcp\.json has no server that can run: mcpServers\.bad\.command: /);
    assert.ok(!existsSync(join(home.env.TAPLINE_HOME, 'mcp-small.log')));
    program = undefined;
  });
});
