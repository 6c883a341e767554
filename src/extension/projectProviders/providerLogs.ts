/** Output and state of project providers, in one output channel for each provider of a folder. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { TailBuffer } from '../../base/text/tailBuffer.ts';
import { oneLine } from '../../views/text/oneLine.ts';

/** In characters, of each channel. */
const KEPT = 500_000;
const LABEL_LENGTH = 40;

interface Log {
  readonly channel: vscode.OutputChannel;
  readonly tail: TailBuffer;
  /** Characters in the channel. */
  shown: number;
}

export class ProviderLogs implements Disposable {
  readonly #store = new DisposableStore();
  /** By title. */
  readonly #logs = new Map<string, Log>();

  get titles(): string[] {
    return [...this.#logs.keys()];
  }

  /** `session`: its label; several sessions run the same provider. */
  add(title: string, session: string, lines: readonly string[]): void {
    const log = this.#of(title);
    const label = oneLine(session, LABEL_LENGTH) || 'session';
    const text = lines.map((line) => `[${label}] ${line}\n`).join('');
    log.tail.push(text);
    log.shown += text.length;
    if (log.shown <= KEPT * 2) return log.channel.append(text);
    const kept = log.tail.text;
    log.shown = kept.length;
    log.channel.replace(kept);
  }

  show(title: string): void {
    this.#logs.get(title)?.channel.show(true);
  }

  /** What is kept of a log. */
  text(title: string): string {
    return this.#logs.get(title)?.tail.text ?? '';
  }

  dispose(): void {
    this.#store.dispose();
  }

  #of(title: string): Log {
    const known = this.#logs.get(title);
    if (known) return known;
    const log = { channel: this.#store.add(vscode.window.createOutputChannel(title)), tail: new TailBuffer(KEPT), shown: 0 };
    this.#logs.set(title, log);
    return log;
  }
}
