/** What the page of a webview sends. */
import type * as vscode from 'vscode';
import { messageOf } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { showError } from './notifications.ts';

export interface PageMessagesOptions<M extends { type: string }> {
  /** What the page is called in the log. */
  name: string;
  logger: Logger;
  /** Undefined: the protocol of the page has no such message. */
  parse(value: unknown): M | undefined;
  /** The user is shown why it failed. */
  handle(message: M): Promise<void>;
  /** What the protocol does not have. It is logged. */
  refuse?(value: unknown): Promise<void>;
}

/** Has each message handled that the page's protocol has, until it is disposed. */
export function onPageMessage<M extends { type: string }>(webview: vscode.Webview, options: PageMessagesOptions<M>): Disposable {
  const { name, logger } = options;
  const failed = (what: string) => (error: unknown) => {
    logger.error(`${name}, ${what}: ${messageOf(error)}`);
    void showError(messageOf(error));
  };
  return webview.onDidReceiveMessage((value: unknown) => {
    const message = options.parse(value);
    if (message) {
      options.handle(message).catch(failed(message.type));
      return;
    }
    logger.warn(`${name} sent a message that its protocol does not have. Nothing was done.`);
    options.refuse?.(value).catch(failed('refusing'));
  });
}
