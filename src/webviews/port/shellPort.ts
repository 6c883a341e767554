/** The port of the shell in which the page runs. */
import type { PagePort } from './pagePort.ts';
import { vscodePort } from './vscodePort.ts';

/** Where the page is only drawn, nobody is there. */
const nowhere: PagePort = { post() {}, listen() {}, kept: () => undefined, keep() {}, opens: () => true, shows: () => undefined };

async function portOfShell(): Promise<PagePort> {
  if (typeof document === 'undefined') return nowhere;
  if (typeof acquireVsCodeApi === 'function') return vscodePort(acquireVsCodeApi());
  // A webview of VS Code would load it for nothing.
  const { browserPort } = await import('./browserPort.ts');
  return browserPort();
}

export const shellPort = await portOfShell();
