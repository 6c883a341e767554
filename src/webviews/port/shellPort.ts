/** The port of the shell in which the page runs. */
import type { PagePort } from './pagePort.ts';
import { browserPort } from './browserPort.ts';
import { vscodePort } from './vscodePort.ts';

export const shellPort: PagePort = typeof acquireVsCodeApi === 'function' ? vscodePort(acquireVsCodeApi()) : browserPort();
