import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { parseMcpConfig, readMcpConfig } from './mcpConfig.ts';

const parse = (mcpServers: unknown) => parseMcpConfig(JSON.stringify({ mcpServers }), '/x/mcp.json');
const refusal = (mcpServers: unknown) => {
  try {
    parse(mcpServers);
  } catch (error) {
    assert.ok(error instanceof UserError);
    return error.message;
  }
  return undefined;
};

describe('the list of MCP servers', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-mcp-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has programs and addresses, and room for what other clients keep in it', () => {
    assert.deepEqual(
      parse({
        here: { command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' }, cwd: '/tmp', alwaysAllow: ['x'], timeout: 60 },
        short: { type: 'stdio', command: 'x' },
        there: { type: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer k' } },
        off: { command: 'x', disabled: true },
      }),
      [
        { name: 'here', command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' }, cwd: '/tmp' },
        { name: 'short', command: 'x', args: [], env: {}, cwd: undefined },
        { name: 'there', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer k' } },
      ],
    );
  });

  it('is refused with the name of the file and of the field', () => {
    for (const [servers, expected] of [
      [undefined, /^\/x\/mcp\.json: mcpServers: /],
      [[], /mcpServers: /],
      [{}, /has no server that is enabled/],
      [{ a: { command: 'x', disabled: true } }, /has no server that is enabled/],
      [{ a: {} }, /mcpServers\.a: must have either command or url/],
      [{ a: { command: 'x', url: 'http://x' } }, /mcpServers\.a: must have either command or url/],
      [{ a: { command: '' } }, /mcpServers\.a\.command: /],
      [{ a: { command: 'x', args: 'y' } }, /mcpServers\.a\.args: /],
      [{ a: { command: 'x', args: ['\0'] } }, /mcpServers\.a\.args\.0: must not hold a NUL/],
      [{ a: { command: 'x', env: { KEY: 1 } } }, /mcpServers\.a\.env\.KEY: /],
      [{ a: { url: 'ftp://x' } }, /mcpServers\.a\.url: /],
      [{ a: { url: 'file:///etc/passwd' } }, /mcpServers\.a\.url: /],
      [{ a: { type: 'sse', url: 'http://x' } }, /mcpServers\.a\.type: /],
      [{ a: { type: 'stdio', url: 'http://x' } }, /mcpServers\.a\.type: does not fit a url/],
      [{ 'a\nb': { command: 'x' } }, /must not hold control characters/],
      [{ [`${'n'.repeat(65)}`]: { command: 'x' } }, /mcpServers\./],
      [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`s${at}`, { command: 'x' }])), /more than 20/],
    ] as const)
      assert.match(refusal(servers) ?? 'taken', expected, JSON.stringify(servers));
  });

  it('does not show what it holds when it is no JSON', () => {
    const long = '{"mcpServers": {"a": {"env": {"KEY": sk-secret, "more": "than the message of the parser quotes"}}}}';
    for (const content of ['{"mcpServers": {"a": {"env": {"KEY": sk-secret', '{"KEY": "sk-secret" "x"', 'sk-secret', long])
      assert.throws(
        () => parseMcpConfig(content, '/x/mcp.json'),
        (error: Error) => /^\/x\/mcp\.json is not JSON: /.test(error.message) && !error.message.includes('secret'),
      );
  });

  it('is read from a file of a sane size, and says how to make one', async () => {
    await assert.rejects(readMcpConfig(join(folder, 'mcp.json')), /There is no .*mcp\.json\. Write your MCP servers into it/);
    await assert.rejects(readMcpConfig(folder), /cannot be read: it is no file/);
    const path = join(folder, 'mcp.json');
    writeFileSync(path, ' '.repeat(2 * 1024 * 1024));
    await assert.rejects(readMcpConfig(path), /larger than/);
    writeFileSync(path, JSON.stringify({ mcpServers: { a: { command: 'x' } } }));
    assert.equal((await readMcpConfig(path)).length, 1);
  });
});
