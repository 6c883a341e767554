/** Every notification goes through here: what hosts, agents and files say is in many of them, and none of it may become a link. */
import * as vscode from 'vscode';

/** Notifications make links of `[text](command:…)`; a host must not be able to put a command under the user's cursor. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}

export function showInfo<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showInformationMessage(withoutLinks(text), ...buttons);
}

export function showError<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showErrorMessage(withoutLinks(text), ...buttons);
}

/** A modal question with one way to say yes. */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(withoutLinks(question), { modal: true, detail: withoutLinks(detail) }, yes)) === yes;
}
