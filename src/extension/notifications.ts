/** Every notification goes through here: what hosts, agents and files say is in many of them, and none of it may become a link. */
import * as vscode from 'vscode';
import { withoutMarkup } from '../views/withoutMarkup.ts';

export function showInfo<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showInformationMessage(withoutMarkup(text), ...buttons);
}

export function showError<T extends string>(text: string, ...buttons: T[]): Thenable<T | undefined> {
  return vscode.window.showErrorMessage(withoutMarkup(text), ...buttons);
}

/** A modal question with one way to say yes. */
export async function confirm(question: string, detail: string, yes: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(withoutMarkup(question), { modal: true, detail: withoutMarkup(detail) }, yes)) === yes;
}
