/** An input box that keeps what was typed until it was checked. */
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';

export interface Question {
  title: string;
  prompt: string;
  placeHolder?: string;
  value?: string | undefined;
  password?: boolean;
  /** Shown at once, as the reason why it is asked again. */
  problem?: string | undefined;
}

/** Resolves with the first thing that `check` does, or with undefined when the user cancels. What `check` rejects with is shown below the text. */
export function askUntil<T>(
  { problem, value = '', ...question }: Question,
  check: (text: string, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const box = Object.assign(vscode.window.createInputBox(), { ignoreFocusOut: true, value, ...question });
  box.validationMessage = problem;
  const cancelled = new AbortController();
  return new Promise<T | undefined>((resolve) => {
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidHide(() => resolve(undefined));
    box.onDidAccept(async () => {
      if (box.busy) return;
      Object.assign(box, { busy: true, enabled: false, validationMessage: undefined });
      try {
        resolve(await check(box.value.trim(), cancelled.signal));
      } catch (error) {
        Object.assign(box, { busy: false, enabled: true, validationMessage: messageOf(error) });
      }
    });
    box.show();
  }).finally(() => {
    cancelled.abort();
    box.dispose();
  });
}
