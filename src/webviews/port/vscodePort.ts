/** The port of a webview of VS Code. */
import { ownSelectAll } from './ownSelectAll.ts';
import type { PagePort } from './pagePort.ts';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare global {
  /** Only in webviews of VS Code. */
  function acquireVsCodeApi(): VsCodeApi;
}

export function vscodePort(api: VsCodeApi): PagePort {
  ownSelectAll(document);
  return {
    post: (message) => api.postMessage(message),
    // The extension posts all messages of a frame as one list. Other scripts of the frame may post too, but not lists.
    listen: ({ receive }) =>
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (Array.isArray(data)) data.forEach(receive);
      }),
    kept: () => api.getState(),
    keep: (state) => api.setState(state),
    opens: () => true,
    // The page keeps it, and VS Code gives that to the extension.
    shows: () => undefined,
  };
}
