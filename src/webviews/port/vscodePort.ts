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
  /** What came before the script, where that comes after the first picture. */
  var taplineKept: { events: MessageEvent<unknown>[]; keep: (event: MessageEvent<unknown>) => void; isTaken: boolean } | undefined;
}

export function vscodePort(api: VsCodeApi): PagePort {
  ownSelectAll(document);
  return {
    post: (message) => api.postMessage(message),
    // The extension posts all messages of a frame as one list. Other scripts of the frame may post too, but not lists.
    listen({ receive }) {
      const take = ({ data }: { data: unknown }) => {
        if (Array.isArray(data)) data.forEach(receive);
      };
      window.addEventListener('message', take);
      if (typeof taplineKept === 'undefined') return;
      taplineKept.isTaken = true;
      window.removeEventListener('message', taplineKept.keep);
      taplineKept.events.splice(0).forEach(take);
    },
    kept: () => api.getState(),
    keep: (state) => api.setState(state),
    opens: () => true,
    // The page keeps it, and VS Code gives that to the extension.
    shows: () => undefined,
  };
}
