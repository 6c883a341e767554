/** The last warnings and errors of the log, for diagnostics. */
import type * as vscode from 'vscode';

const KEPT = 20;
const LENGTH = 1_000;

export class RecentProblems {
  readonly #all: { readonly at: number; readonly text: string }[] = [];

  /** The newest last. */
  get all(): readonly { readonly at: number; readonly text: string }[] {
    return this.#all;
  }

  /** The same log, of which it keeps the problems. */
  of(log: vscode.LogOutputChannel): vscode.LogOutputChannel {
    const kept: Pick<vscode.LogOutputChannel, 'warn' | 'error'> = {
      warn: (message, ...args) => {
        this.#add(message);
        log.warn(message, ...args);
      },
      error: (error, ...args) => {
        this.#add(error instanceof Error ? error.message : error);
        log.error(error, ...args);
      },
    };
    // The log is VS Code’s own object, which may be frozen and bound to itself.
    return new Proxy({} as vscode.LogOutputChannel, {
      get: (_target, name) => {
        if (name === 'warn' || name === 'error') return kept[name];
        const value: unknown = Reflect.get(log, name, log);
        return typeof value === 'function' ? (value.bind(log) as unknown) : value;
      },
    });
  }

  #add(text: string): void {
    this.#all.push({ at: Date.now(), text: text.slice(0, LENGTH) });
    if (this.#all.length > KEPT) this.#all.shift();
  }
}
