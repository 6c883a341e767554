import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as vscode from 'vscode';
import type { ChatModel } from '../../src/ahp/client/model/chatModel.ts';
import { commandIds, commandName } from '../../src/extension/commandTable.ts';
import type { TaplineApi } from '../../src/extension/extension.ts';
import type { WindowParts } from '../../src/extension/startWindow.ts';
import type { RegisteredHost } from '../../src/extension/hosts/registeredHost.ts';
import { embeddedHostTransport } from '../../src/extension/hosts/embeddedHost.ts';
import { MCP_PROVIDER_ID, mcpServer } from '../../src/extension/mcp/mcpServerDefinitions.ts';
import { nullLogger } from '../../src/base/log.ts';
import { readDaemonRecord } from '../../src/base/daemon/daemonLock.ts';
import { startChannelsOnly } from '../support/channelsOnly.ts';
import { untilGone } from '../support/processes.ts';
import { until, WAIT_MS } from '../support/until.ts';

export function defineSuite(): void {
  describe('Tapline in a real extension host', () => {
    const lockFile = join(process.env.TAPLINE_HOME ?? '', 'host.lock.json');
    let api: WindowParts;

    const embedded = (): RegisteredHost => {
      const host = api.hosts.get('embedded');
      assert.ok(host, 'the embedded host is listed');
      return host;
    };
    const connected = () =>
      until('the embedded host connects', api.hosts.onDidChange, () => api.hosts.get('embedded')?.client.state.kind === 'connected');
    async function newDemoSession(): Promise<string> {
      const before = new Set(embedded().client.sessions.summaries.map(({ resource }) => resource));
      await vscode.commands.executeCommand('tapline.startDemo');
      const added = await until('the session is listed', api.hosts.onDidChange, () =>
        embedded().client.sessions.summaries.find(({ resource }) => !before.has(resource)),
      );
      return added.resource;
    }

    before(async () => {
      const extension = vscode.extensions.getExtension<TaplineApi>('tapline.tapline');
      assert.ok(extension);
      api = await (await extension.activate()).parts();
    });

    it('registers every command of the table', async () => {
      const registered = await vscode.commands.getCommands(true);
      for (const id of commandIds) assert.ok(registered.includes(commandName(id)), id);
    });

    it('starts its own agent host and connects to it', async () => {
      await connected();
      const record = readDaemonRecord(lockFile);
      assert.ok(record && record.pid !== process.pid);
      const root = await until('the root state', api.hosts.onDidChange, () => embedded().root.confirmed);
      assert.deepEqual(
        root.agents.map(({ provider }) => provider),
        ['demo', 'copilot'],
      );
    });

    it('shares one agent host among windows', async () => {
      await connected();
      const before = readDaemonRecord(lockFile);
      const root = vscode.extensions.getExtension('tapline.tapline')?.extensionPath ?? '';
      const other = await embeddedHostTransport(root, nullLogger)('', new AbortController().signal);
      other.close();
      assert.deepEqual(readDaemonRecord(lockFile), before);
    });

    it('creates a session in the workspace folder, runs a turn and lists it', async () => {
      await connected();
      const uri = await newDemoSession();
      const { client } = embedded();
      const session = client.session(uri);
      let chat: ChatModel | undefined;
      try {
        const { workingDirectories, defaultChat = uri } = await until('the session is ready', session.onDidChange, () =>
          session.confirmed?.lifecycle === 'ready' ? session.confirmed : undefined,
        );
        assert.deepEqual(workingDirectories, [vscode.workspace.workspaceFolders?.[0]?.uri.toString()]);
        const shown = (chat = client.chat(defaultChat));
        await until('the chat', shown.onDidChange, () => shown.confirmed);
        const { settled } = shown.send('help');
        assert.equal(shown.state?.activeTurn?.message.text, 'help', 'shown at once');
        assert.equal((await settled).kind, 'confirmed');
        const turn = await until('the turn ends', shown.onDidChange, () => shown.confirmed?.turns[0]);
        assert.equal(turn.state, 'complete');
        await until('the list has its title', api.hosts.onDidChange, () => client.sessions.summary(uri)?.title === 'help');
      } finally {
        chat?.dispose();
        session.dispose();
      }
    });

    it('lends the tools of the gateway to a session, and withdraws them when that is switched off', async () => {
      await connected();
      const uri = await newDemoSession();
      const session = embedded().client.session(uri);
      const lent = () => session.confirmed?.activeClients[0]?.tools.some(({ name }) => name === 'tap_list_streams');
      const configuration = vscode.workspace.getConfiguration('tapline');
      try {
        await until('the tools', session.onDidChange, lent);
        const gateway = readDaemonRecord(join(process.env.TAPLINE_HOME ?? '', 'gateway.lock.json'));
        assert.ok(gateway && gateway.pid !== process.pid);
        await configuration.update('gateway.enabled', false, vscode.ConfigurationTarget.Global);
        await until('they are withdrawn', session.onDidChange, () => session.confirmed?.activeClients.length === 0);
        assert.equal(api.bridge.bridge.owner, undefined, 'there is no connection to the gateway');
        await configuration.update('gateway.enabled', undefined, vscode.ConfigurationTarget.Global);
        await until('they are lent again', session.onDidChange, lent);
      } finally {
        session.dispose();
      }
    });

    it('archives, marks and deletes from commands', async () => {
      await connected();
      const uri = await newDemoSession();
      const { client } = embedded();
      // Another session is in view, because commands also act on sessions that are not shown.
      await newDemoSession();
      const argument = { hostId: 'embedded', uri };
      const bits = (mask: number) =>
        until(`status ${mask}`, api.hosts.onDidChange, () => ((client.sessions.summary(uri)?.status ?? 0) & mask) === mask);
      await vscode.commands.executeCommand('tapline.archiveSession', argument);
      await bits(64);
      await vscode.commands.executeCommand('tapline.markSessionRead', argument);
      await bits(32);
      await client.command('disposeSession', { channel: uri });
      await until('it is no longer listed', api.hosts.onDidChange, () => !client.sessions.summary(uri));
    });

    it('connects again by itself when the agent host was killed', async () => {
      await connected();
      const { client } = embedded();
      const before = readDaemonRecord(lockFile);
      assert.ok(before);
      process.kill(before.pid, 'SIGKILL');
      await untilGone(before.pid);
      await until('the loss is seen', api.hosts.onDidChange, () => client.state.kind !== 'connected');
      await connected();
      assert.notEqual(readDaemonRecord(lockFile)?.pid, before.pid);
    });

    it('says what is wrong with a host that cannot be reached, and forgets it when it is removed', async () => {
      const url = 'ws://127.0.0.1:1/';
      const configuration = vscode.workspace.getConfiguration('tapline');
      await configuration.update('hosts', [{ name: 'nowhere', url }], vscode.ConfigurationTarget.Global);
      const host = await until('it is listed', api.hosts.onDidChange, () => api.hosts.get(url));
      const state = await until('it fails', api.hosts.onDidChange, () =>
        host.client.state.kind === 'reconnecting' ? host.client.state : undefined,
      );
      assert.equal(state.reason.kind, 'unreachable');
      await configuration.update('hosts', undefined, vscode.ConfigurationTarget.Global);
      await until('it is gone', api.hosts.onDidChange, () => !api.hosts.get(url));
    });

    it('records the wire into a file, and replays that as a host that can only be read', async () => {
      await connected();
      const uri = await newDemoSession();
      // Do not wait for the notification, which nobody answers here.
      void vscode.commands.executeCommand('tapline.startWireLog');
      const session = embedded().client.session(uri);
      const { defaultChat = '' } = await until('the session is shown', session.onDidChange, () => session.confirmed);
      const chat = embedded().client.chat(defaultChat);
      await until('the chat is shown', chat.onDidChange, () => chat.confirmed);
      chat.send({ text: 'help', model: { id: 'demo-fast' } });
      const turn = await until('its turn', chat.onDidChange, () => chat.confirmed?.turns[0]);
      await vscode.commands.executeCommand('tapline.stopWireLog');
      const log = vscode.window.activeTextEditor?.document;
      assert.match(log?.uri.fsPath ?? '', /wire-.*\.jsonl$/);
      assert.match(log?.getText() ?? '', /chat\/turnStarted/);
      assert.doesNotMatch(log?.getText() ?? '', /createSession/, 'nothing of before it was asked for');

      await vscode.commands.executeCommand('tapline.replayWireLog', log?.uri);
      const replay = api.hosts.all.find(({ kind }) => kind === 'replay');
      assert.ok(replay);
      const seen = replay.client.chat(defaultChat);
      const again = await until('the same turn', seen.onDidChange, () => seen.confirmed?.turns[0]);
      assert.deepEqual(again, turn);
      assert.equal((await seen.send('help').settled).kind, 'rejected');
      for (const model of [seen, chat, session]) model.dispose();
      await vscode.commands.executeCommand('tapline.removeHost', { hostId: replay.id });
      assert.ok(!api.hosts.all.includes(replay));
    });

    it('replays what was recorded of a host of AHP 1.0', async () => {
      await connected();
      const record = readDaemonRecord(lockFile);
      assert.ok(record);
      const today = await startChannelsOnly(record);
      const configuration = vscode.workspace.getConfiguration('tapline');
      try {
        await configuration.update('hosts', [{ name: 'today', url: today.url }], vscode.ConfigurationTarget.Global);
        const host = await until('it is connected', api.hosts.onDidChange, () =>
          api.hosts.all.find(({ label, client }) => label === 'today' && client.state.kind === 'connected'),
        );
        const uri = 'demo:/wire-log-of-today';
        await host.client.command('createSession', { channel: uri, provider: 'demo' });
        const session = host.client.session(uri);
        const { defaultChat = '' } = await until('the session', session.onDidChange, () => session.confirmed);
        // Do not wait for the notification, which nobody answers here.
        void vscode.commands.executeCommand('tapline.startWireLog');
        const chat = host.client.chat(defaultChat);
        await until('the chat', chat.onDidChange, () => chat.confirmed);
        assert.equal((await chat.send({ text: 'help', model: { id: 'demo-fast' } }).settled).kind, 'confirmed');
        const turn = await until('its turn', chat.onDidChange, () => chat.confirmed?.turns[0]);
        await vscode.commands.executeCommand('tapline.stopWireLog');
        const log = vscode.window.activeTextEditor?.document;
        assert.ok(log);
        // Only this host, so that nobody is asked which one to show.
        const lines = log.getText().trim().split('\n');
        const at = (line: string) => JSON.parse(line) as { conn: number; host?: string };
        const conns = lines.map(at).flatMap(({ conn, host: name }) => (name === 'today' ? conn : []));
        const file = vscode.Uri.joinPath(log.uri, '../today.jsonl');
        const own = lines.filter((line) => conns.includes(at(line).conn));
        await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(own.join('\n')));

        await vscode.commands.executeCommand('tapline.replayWireLog', file);
        const replay = api.hosts.all.find(({ kind }) => kind === 'replay');
        assert.ok(replay);
        const seen = replay.client.chat(defaultChat);
        assert.deepEqual(await until('the same turn', seen.onDidChange, () => seen.confirmed?.turns[0]), turn);
        assert.deepEqual(replay.client.dialect, { name: 'channels', version: '1.0.0' });
        assert.equal((await seen.send('help').settled).kind, 'rejected');
        await vscode.commands.executeCommand('tapline.removeHost', { hostId: replay.id });
        assert.ok(!api.hosts.all.includes(replay));
        await host.client.command('disposeSession', { channel: uri });
        for (const model of [seen, chat, session]) model.dispose();
      } finally {
        await configuration.update('hosts', undefined, vscode.ConfigurationTarget.Global);
        await today.close();
      }
    });

    it('switches the embedded host off and on', async () => {
      const configuration = vscode.workspace.getConfiguration('tapline');
      await configuration.update('embeddedHost.enabled', false, vscode.ConfigurationTarget.Global);
      await until('it is gone', api.hosts.onDidChange, () => !api.hosts.get('embedded'));
      await configuration.update('embeddedHost.enabled', undefined, vscode.ConfigurationTarget.Global);
      await until('it is back', api.hosts.onDidChange, () => api.hosts.get('embedded'));
      await connected();
    });

    it('offers VS Code an MCP server that runs with what the extension host has', async () => {
      const extension = vscode.extensions.getExtension('tapline.tapline');
      assert.ok(extension);
      assert.equal(extension.packageJSON.contributes.mcpServerDefinitionProviders[0].id, MCP_PROVIDER_ID);
      const [, command, args, env] = mcpServer(extension);
      const { TAPLINE_HOME = '', COPILOT_HOME = TAPLINE_HOME } = process.env;
      const client = new Client({ name: 'chat', version: '1.0.0' });
      await client.connect(new StdioClientTransport({ command, args, env: { ...env, TAPLINE_HOME, COPILOT_HOME } }), { timeout: WAIT_MS });
      try {
        assert.ok((await client.listTools()).tools.some(({ name }) => name === 'tap_list_streams'));
      } finally {
        await client.close();
      }
    });

    it('shows contents of the host as read-only documents', async () => {
      await connected();
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      assert.ok(folder);
      await newDemoSession();
      const file = vscode.Uri.joinPath(folder, 'notes.md');
      const { resourceDocument } = await import('../../src/extension/sessionView/resourceDocuments.ts');
      const document = await vscode.workspace.openTextDocument(resourceDocument('embedded', file.toString(), file.path));
      assert.match(document.getText(), /# Notes/);
      assert.equal(document.languageId, 'markdown');
    });
  });
}
