/** The wire log of this window: off by default, one at a time. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { WireLogWriter } from '../../ahp/client/recording/wireLogWriter.ts';
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { commandName } from '../commandTable.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import { showError, showInfo } from '../notifications.ts';

interface Running {
  readonly path: string;
  readonly stream: WriteStream;
  readonly item: vscode.StatusBarItem;
}

export class WireLog implements Disposable {
  readonly #store = new DisposableStore();
  #running: Running | undefined;

  constructor(
    private readonly hosts: HostRegistry,
    private readonly logUri: vscode.Uri,
    private readonly onDidChange: (running: boolean) => void,
  ) {}

  /** Where the logs of this window are. */
  get folder(): vscode.Uri {
    return this.logUri;
  }

  async start(): Promise<void> {
    if (this.#running) return;
    const { path, writer } = this.#begin();
    this.hosts.recordTo(writer);
    this.onDidChange(true);
    const text = l10n.t(
      'The wire log is recording. It contains everything that is said in the sessions of this window, but no tokens and no file contents.',
    );
    const stop = l10n.t('Stop and Open');
    if ((await showInfo(text, stop)) === stop && this.#isRunning(path)) await this.stop();
  }

  /** False for a question about an earlier log that is answered after another one was started. */
  #isRunning(path: string): boolean {
    return this.#running?.path === path;
  }

  async stop(): Promise<void> {
    const path = this.#running?.path;
    if (path === undefined) return;
    await this.#end();
    await vscode.window.showTextDocument(vscode.Uri.file(path));
  }

  dispose(): void {
    void this.#end();
    this.#store.dispose();
  }

  #begin(): { path: string; writer: WireLogWriter } {
    mkdirSync(this.logUri.fsPath, { recursive: true });
    const path = join(this.logUri.fsPath, `wire-${new Date().toISOString().replaceAll(':', '-')}.jsonl`);
    // Readable by the user only: it holds their conversations.
    const stream = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    stream.on('error', (error) => {
      if (this.#running?.stream !== stream) return;
      void this.#end();
      void showError(l10n.t`The wire log was stopped because it cannot be written: ${messageOf(error)}`);
    });
    const item = this.#store.add(vscode.window.createStatusBarItem('wireLog', vscode.StatusBarAlignment.Left, 9));
    item.name = l10n.t('Tapline Wire Log');
    item.text = `$(record) ${l10n.t('Wire log')}`;
    item.tooltip = l10n.t`Tapline writes the messages of all agent hosts to ${path}. Click to stop and open the log.`;
    item.accessibilityInformation = { label: l10n.t('The Tapline wire log is recording. Activate to stop it.'), role: 'button' };
    item.command = commandName('stopWireLog');
    item.show();
    const writer = new WireLogWriter((line) => void stream.write(line), {
      clock: systemClock,
      onFull: () => (item.text = `$(warning) ${l10n.t('Wire log is full')}`),
    });
    this.#running = { path, stream, item };
    return { path, writer };
  }

  async #end(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    this.hosts.recordTo(undefined);
    this.onDidChange(false);
    this.#store.delete(running.item);
    await new Promise<void>((resolve) => {
      running.stream.once('close', resolve);
      running.stream.end();
    });
  }
}
