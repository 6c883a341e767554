import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { parseMcpConfig, readMcpConfig } from './mcpConfig.ts';

const parse = (mcpServers: unknown) => parseMcpConfig(JSON.stringify({ mcpServers }), '/x/mcp.json');
const good = { command: 'x' };

describe('the list of MCP servers', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-mcp-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has programs and addresses, and room for what other clients keep in it', () => {
    const { servers, refused } = parse({
      here: { command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' }, cwd: '/tmp', alwaysAllow: ['x'], timeout: 60, roots: true },
      short: { type: 'stdio', command: 'x' },
      there: { type: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer k' } },
      off: { command: 'x', disabled: true },
      alsoOff: { command: 7, disabled: true },
    });
    assert.deepEqual(refused, []);
    assert.deepEqual(servers, [
      { name: 'here', roots: true, command: 'npx', args: ['-y', 'x'], env: { KEY: 'k' }, cwd: '/tmp' },
      { name: 'short', command: 'x', args: [], env: {}, cwd: undefined },
      { name: 'there', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer k' } },
    ]);
  });

  it('is refused as a whole where it is no list, or has nothing to run', () => {
    for (const [servers, expected] of [
      [undefined, /^\/x\/mcp\.json: mcpServers: /],
      [[], /mcpServers: /],
      [{}, /has no server that is enabled/],
      [{ a: { ...good, disabled: true } }, /has no server that is enabled/],
      [{ a: { command: 7 }, b: {} }, /has no server that can run: mcpServers\.a\.command: .*; mcpServers\.b: must have/],
    ] as const)
      assert.throws(
        () => parse(servers),
        (error: unknown) => error instanceof UserError && expected.test(error.message),
        JSON.stringify(servers),
      );
  });

  it('refuses a wrong entry alone, with its name and that of the field', () => {
    for (const [name, entry, expected] of [
      ['a', {}, /^mcpServers\.a: must have either command or url$/],
      ['a', null, /^mcpServers\.a: .*expected object/],
      ['a', { command: 'x', url: 'http://x' }, /^mcpServers\.a: must have either command or url$/],
      ['a', { command: '' }, /^mcpServers\.a\.command: /],
      ['a', { command: 'x', args: 'y' }, /^mcpServers\.a\.args: /],
      ['a', { command: 'x', args: ['\0'] }, /^mcpServers\.a\.args\.0: must not hold a NUL$/],
      ['a', { command: 'x', env: { KEY: 1 } }, /^mcpServers\.a\.env\.KEY: /],
      ['a', { command: 'x', disabled: 'no' }, /^mcpServers\.a\.disabled: /],
      ['a', { url: 'ftp://x' }, /^mcpServers\.a\.url: /],
      ['a', { url: 'file:///etc/passwd' }, /^mcpServers\.a\.url: /],
      ['a', { type: 'sse', url: 'http://x' }, /^mcpServers\.a\.type: /],
      ['a', { type: 'stdio', url: 'http://x' }, /^mcpServers\.a\.type: does not fit a url$/],
      ['a\nb', good, /^mcpServers\.a b: must not hold control characters$/],
      ['n'.repeat(65), good, /^mcpServers\.n{63}…: /],
    ] as const) {
      const { servers, refused } = parse({ first: good, [name]: entry, last: good });
      assert.deepEqual(
        servers.map((server) => server.name),
        ['first', 'last'],
      );
      assert.equal(refused.length, 1);
      assert.match(refused[0] ?? '', expected);
    }
  });

  it('refuses the entries beyond the twentieth', () => {
    const { servers, refused } = parse(Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`s${at}`, good])));
    assert.equal(servers.length, 20);
    assert.deepEqual(
      refused,
      ['s20', 's21'].map((name) => `mcpServers.${name}: is one of more than 20 servers`),
    );
  });

  it('says nothing of what an entry holds, where a header or an address cannot be sent either', () => {
    const secret = 'sk-secret';
    for (const entry of [
      { url: 'https://x', headers: { Authorization: `Bearer ${secret}\n` } },
      { url: 'https://x', headers: { Authorization: `“${secret}”` } },
      { url: 'https://x', headers: { [`Authorization: ${secret}`]: '' } },
      { url: `https://me:${secret}@x` },
      { url: `https://${secret}@x` },
      { url: secret },
      { command: 'x', type: secret },
      { command: 'x', env: `KEY=${secret}` },
      { command: 'x', env: [`KEY=${secret}`] },
      { command: 'x', env: { [`KEY=${secret}`]: null } },
      { command: 'x', args: [{ token: secret }] },
      secret,
    ]) {
      const { servers, refused } = parse({ a: entry, b: good });
      assert.equal(servers.length, 1, JSON.stringify(entry));
      assert.match(refused[0] ?? '', /^mcpServers\.a/);
      assert.ok(!refused.join('').includes('secret'), refused.join(''));
    }
    assert.equal(parse({ a: { url: 'https://x/?key=k', headers: { 'X-Key': 'Schlüssel', Empty: '' } } }).servers.length, 1);
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
    assert.equal((await readMcpConfig(path)).servers.length, 1);
  });
});
