import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionBridge } from '../../src/extension/bridge/session/sessionBridge.ts';
import type { TaplineApi } from '../../src/extension/extension.ts';
import type { WindowParts } from '../../src/extension/startWindow.ts';
import type { SessionRef } from '../../src/views/session/sessionRef.ts';
import { until } from '../support/until.ts';

const HOST_ID = 'embedded';

/** Sessions of the demo agent that this window shows, and calls of their tools as an agent makes them. */
export class TestSessions {
  #created = 0;

  private constructor(readonly api: WindowParts) {}

  static async open(): Promise<TestSessions> {
    const extension = vscode.extensions.getExtension<TaplineApi>('tapline.tapline');
    assert.ok(extension);
    const api = await (await extension.activate()).parts();
    await until('the host connects', api.hosts.onDidChange, () => api.hosts.get(HOST_ID)?.client.state.kind === 'connected');
    return new TestSessions(api);
  }

  /** Registered at the gateway when it resolves. */
  async create(folder: vscode.Uri): Promise<{ ref: SessionRef; session: SessionBridge }> {
    const { hosts, bridge } = this.api;
    const uri = `demo:/vscode-${process.pid}-${Date.now()}-${++this.#created}`;
    await hosts.get(HOST_ID)?.client.command('createSession', {
      channel: uri,
      provider: 'demo',
      workingDirectories: [folder.toString()],
    });
    const ref = { hostId: HOST_ID, uri };
    await vscode.commands.executeCommand('tapline.openSession', ref);
    const session = await until('the session is registered', bridge.bridge.onDidChange, () => {
      const found = bridge.bridge.get(ref);
      return found?.registered && found;
    });
    return { ref, session };
  }

  async tool(session: SessionBridge, name: string): Promise<void> {
    await until(`the tool ${name}`, this.api.bridge.bridge.onDidChange, () => session.offered.some((tool) => tool.name === name));
  }

  async call(session: SessionBridge, tool: string, args: object = {}): Promise<unknown> {
    const outcome = await session.registered?.call(tool, args);
    if (outcome?.ok && 'data' in outcome) return outcome.data;
    throw new Error(JSON.stringify(outcome));
  }
}
