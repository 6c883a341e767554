/** Turns what a webview posted into a message of the protocol, or into undefined. */
import { webviewMessage, type WebviewMessage } from './protocol.ts';

/**
 * A fresh, exactly typed message with no member that the protocol does not know. Undefined for anything malformed, for actions that this
 * view never dispatches, and for links other than http, https and mailto.
 */
export function parseWebviewMessage(value: unknown): WebviewMessage | undefined {
  return webviewMessage.safeParse(value).data;
}
