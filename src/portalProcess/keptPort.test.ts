import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLogger } from '../base/log.ts';
import { listenAgain } from './keptPort.ts';

describe('the port of last time', () => {
  let folder: string;
  let file: string;
  const open: Server[] = [];
  const said: string[] = [];
  const logger = { ...nullLogger, info: (text: string) => void said.push(text), warn: (text: unknown) => void said.push(String(text)) };
  const listen = (port: number) =>
    new Promise<{ port: number; server: Server }>((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        open.push(server);
        resolve({ port: (server.address() as AddressInfo).port, server });
      });
    });
  const again = (port = 0) => listenAgain(port, file, logger, listen);
  const close = (server: Server) => new Promise((resolve) => server.close(resolve));
  const kept = () => readFileSync(file, 'utf8');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-port-'));
    file = join(folder, 'port');
    said.length = 0;
  });
  afterEach(async () => {
    await Promise.all(
      open
        .splice(0)
        .filter((server) => server.listening)
        .map(close),
    );
    rmSync(folder, { recursive: true });
  });

  it('is taken again, and that is said', async () => {
    const first = await again();
    assert.deepEqual(said, []);
    assert.equal(kept(), `${first.port}\n`);
    await close(first.server);
    const second = await again();
    assert.equal(second.port, first.port);
    assert.match(said.join('\n'), new RegExp(`^Port ${first.port} is that of last time`));
  });

  it('is another one when a program has it, and that is said and kept', async () => {
    const first = await again();
    const second = await again();
    assert.notEqual(second.port, first.port);
    assert.match(said.join('\n'), new RegExp(`Port ${first.port}, that of last time, is in use by another program`));
    assert.equal(kept(), `${second.port}\n`);
  });

  it('does not replace one that was asked for', async () => {
    const first = await again();
    await close(first.server);
    const other = await listen(0);
    await close(other.server);
    assert.equal((await again(other.port)).port, other.port);
    assert.equal(kept(), `${other.port}\n`);
    await assert.rejects(again(other.port), { code: 'EADDRINUSE' });
  });

  it('is not taken from a file that has none in it', async () => {
    for (const text of ['', 'x', '0', '65536', '-1', '1e3']) {
      writeFileSync(file, text);
      const { port } = await again();
      assert.match(said.splice(0).join('\n'), /has no port in it/);
      assert.equal(kept(), `${port}\n`);
    }
  });
});
