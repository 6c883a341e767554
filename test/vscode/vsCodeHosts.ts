import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { sha256 } from '../../src/base/node/sha256.ts';
import type { TaplineApi } from '../../src/extension/extension.ts';
import type { WindowParts } from '../../src/extension/startWindow.ts';
import { FakeHost } from '../fakes/fakeHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { until } from '../support/until.ts';

export function defineVsCodeHostsSuite(): void {
  describe('An agent host of VS Code on this computer', () => {
    const userData = join(process.env.XDG_CONFIG_HOME ?? '', 'Code');
    const id = `vscode-editor:${userData}`;
    const host = new FakeHost();
    let api: WindowParts;
    let server: FakeHostServer | undefined;

    before(async function () {
      // Elsewhere the folder is that of the real VS Code.
      if (process.platform !== 'linux') return this.skip();
      const extension = vscode.extensions.getExtension<TaplineApi>('tapline.tapline');
      assert.ok(extension);
      api = await (await extension.activate()).parts();
      const entries = join(userData, 'agent-host', 'local-endpoint', 'entries');
      mkdirSync(entries, { recursive: true, mode: 0o700 });
      const socket = join(userData, 'host.sock');
      server = await serveFakeHost(host, { socket, token: 's3cret' });
      const entry = {
        ...{ schemaVersion: 2, type: 'editor', pid: process.pid, instanceId: 'x', protocolVersion: '0.9.0' },
        ...{ connectionToken: 's3cret', endpoint: { type: 'socket', path: socket } },
      };
      writeFileSync(join(entries, `${sha256(`editor\0${process.pid}\0x`)}.json`), JSON.stringify(entry), { mode: 0o600 });
    });
    after(async () => {
      await server?.close();
      rmSync(userData, { recursive: true, force: true });
    });

    it('is offered, and connected to only when the user says so', async () => {
      const offered = () => api.vsCodeHosts.offered.map((one) => one.id);
      await api.vsCodeHosts.look();
      assert.deepEqual(offered(), [id]);
      await vscode.commands.executeCommand('tapline.declineVsCodeHost', { hostId: id });
      assert.deepEqual(offered(), []);
      assert.equal(api.hosts.get(id), undefined);
      assert.equal(host.connections.length, 0);

      await vscode.commands.executeCommand('tapline.connectVsCodeHost', { hostId: id });
      await until('it is connected', api.hosts.onDidChange, () => api.hosts.get(id)?.client.state.kind === 'connected');
      assert.equal(api.hosts.get(id)?.label, 'VS Code');
      await api.vsCodeHosts.answer({ id, label: 'VS Code' }, 'notNow');
      await until('it is gone', api.hosts.onDidChange, () => !api.hosts.get(id));
    });
  });
}
