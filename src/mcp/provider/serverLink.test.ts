import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { nullLogger } from '../../base/log.ts';
import { ToolError } from '../../tap/provider/providerErrors.ts';
import { ServerLink } from './serverLink.ts';

const smallServer = join(import.meta.dirname, '../../../test/support/smallMcpServer.mjs');

describe('the connection to an MCP server', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-mcp-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is tried again after waits that double up to a minute, and says once why it fails', async () => {
    const clock = new FakeClock();
    const warnings: string[] = [];
    const debugged: string[] = [];
    const logger = {
      ...nullLogger,
      warn: (text: string) => void warnings.push(text),
      debug: (text: string) => void (text.includes('is not connected') && debugged.push(text)),
    };
    const config = { name: 'none', command: join(folder, 'no-such-program'), args: [], env: {} };
    const options = { version: '1', logFile: join(folder, 'log'), logger, clock, random: () => 0 };
    const link = new ServerLink(config, options, (tools) => assert.deepEqual(tools, []));
    try {
      for (const [attempt, wait] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
        await eventually(() => clock.pending === 1, `the wait after attempt ${attempt + 1}`);
        clock.advance(wait * 1000 - 1);
        assert.equal(clock.pending, 1, `${wait} s`);
        clock.advance(1);
      }
      await eventually(() => clock.pending === 1, 'the last wait');
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /“none” is not connected: spawn .*no-such-program ENOENT\..* The next attempt is in 1\.0 s\./);
      assert.equal(debugged.length, 8);
      const refused = link.call('echo', {}, new AbortController().signal, () => undefined);
      await assert.rejects(refused, (error) => error instanceof ToolError && error.code === 'DISCONNECTED');
    } finally {
      await link.close();
    }
    assert.equal(clock.pending, 0);
  });

  it('passes the trace of a call on', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    let names: string[] = [];
    const options = { version: '1', logFile: join(folder, 'log'), logger: nullLogger };
    const link = new ServerLink({ name: 'small', command: process.execPath, args: [smallServer], env: {} }, options, (tools) => {
      names = tools.map(({ name }) => name);
    });
    try {
      await eventually(() => names.includes('environment'), 'the tools of the server');
      for (const given of [traceparent, undefined]) {
        const { content } = await link.call('environment', {}, new AbortController().signal, () => undefined, given);
        const [said] = content as { text: string }[];
        assert.equal((JSON.parse(said?.text ?? '') as Record<string, string>).traceparent, given);
      }
    } finally {
      await link.close();
    }
  });
});
