/** All notifications. Many contain text of hosts, agents or files, which must not become a link. */
import * as l10n from '../base/l10n.ts';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../base/lifecycle.ts';
import { withLinks } from '../views/text/markdown/withLinks.ts';
import { withoutMarkup } from '../views/text/withoutMarkup.ts';
import { commandName } from './commandTable.ts';

/** The answer that leaves a question open. */
export const NOT_NOW = l10n.t('Not Now');
/** Until it is said what is waited for. */
const LATE_MS = 500;

export function showInfo<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showInformationMessage(withoutMarkup(text), ...buttons);
}

export function showError<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showErrorMessage(withoutMarkup(text), ...buttons);
}

/** True when the user wants it to be tried again. */
export async function askToTryAgain(text: string): Promise<boolean> {
  const again = l10n.t('Try Again');
  return (await showError(text, again)) === again;
}

/** A modal question. Enter takes the first answer; undefined: the user has left it. */
export async function choose<T extends string>(question: string, detail: string, ...answers: T[]): Promise<T | undefined> {
  return vscode.window.showWarningMessage(withoutMarkup(question), { modal: true, detail: withoutMarkup(detail) }, ...answers);
}

/** A modal question. True when the user chose `yes`. */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  return (await choose(question, detail, yes)) === yes;
}

/** The same about something that must not happen by an Enter too many: that key means `no`, which does the same as leaving the question. */
export async function confirmUnlikely(question: string, detail: string, yes: string, no: string): Promise<boolean> {
  return (await choose(question, detail, no, yes)) === yes;
}

/** Says what is waited for, unless it is there at once. The signal is aborted when the user does not want to wait any longer. */
export async function waitWithProgress<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const left = new AbortController();
  const result = task(left.signal);
  const isLate = new Promise<true>((resolve) => setTimeout(() => resolve(true), LATE_MS));
  if ((await Promise.race([result.then(() => false), isLate])) === false) return result;
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_progress, token) => {
    token.onCancellationRequested(() => left.abort());
    return result;
  });
}

export interface ClosableNotification {
  readonly text: string;
  readonly links: readonly { readonly label: string; run(): unknown }[];
  /** The user closed it. */
  onDismissed?(): void;
}

/**
 * Notifications that can be closed when they have no purpose any more. An extension can close only those with progress, which have links in
 * place of buttons.
 */
export class ClosableNotifications implements Disposable {
  /** By a key that is in the links only, so that no other extension can follow one. */
  readonly #open = new Map<string, { readonly links: ClosableNotification['links']; close(): void }>();

  /** Disposing the result closes it. */
  show({ text, links, onDismissed }: ClosableNotification): Disposable {
    const key = randomUUID();
    const target = (index: number) => `command:${commandName('followNotification')}?${encodeURIComponent(JSON.stringify([key, index]))}`;
    const title = withLinks(
      text,
      links.map(({ label }, index) => ({ label, target: target(index) })),
    );
    // It may be closed before VS Code shows it.
    const closed = new Promise<void>((close) => this.#open.set(key, { links, close }));
    // As the type is, the button says “Cancel”, which could be taken for a denial. VS Code takes a label too.
    const cancellable = l10n.t('Dismiss') as unknown as boolean;
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable }, (_progress, token) => {
      token.onCancellationRequested(() => {
        if (!this.#open.has(key)) return;
        this.#close(key);
        onDismissed?.();
      });
      return closed;
    });
    return toDisposable(() => this.#close(key));
  }

  /** By the command of a link. The notification stays open until its owner closes it. */
  follow(key: unknown, index: unknown): unknown {
    return this.#open.get(String(key))?.links[Number(index)]?.run();
  }

  dispose(): void {
    for (const key of [...this.#open.keys()]) this.#close(key);
  }

  #close(key: string): void {
    const open = this.#open.get(key);
    this.#open.delete(key);
    open?.close();
  }
}
