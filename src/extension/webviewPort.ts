/** A webview of VS Code as the shell of a page. */
import * as vscode from 'vscode';
import type { Logger } from '../base/log.ts';
import type { PagePort, PageShell } from '../pages/pagePort.ts';
import { showError } from './notifications.ts';

export function webviewPort<Out>(webview: vscode.Webview): PagePort<Out> {
  return {
    post: (messages) => webview.postMessage(messages),
    onMessage: (listener) => webview.onDidReceiveMessage(listener),
  };
}

export function vsCodeShell(logger: Logger): PageShell {
  return {
    logger,
    showError: (text) => void showError(text),
    copy: (text) => vscode.env.clipboard.writeText(text),
    openExternal: (url) => vscode.env.openExternal(vscode.Uri.parse(url, true)),
  };
}
