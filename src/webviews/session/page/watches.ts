/** Which resources the page watches, counted, so that the extension hears of the first and the last of each only. */
import type { URI } from '../../../ahp/v1/common.ts';
import { post } from './vscodeApi.ts';

export class Watches {
  private readonly counts = new Map<URI, number>();

  /** Asks for all of it again: the extension may have lost its side. */
  renew(): void {
    for (const uri of this.counts.keys()) post({ type: 'watch', uri });
  }

  /** Returns what ends the watch; calling it again does nothing. */
  watch(uri: URI): () => void {
    const count = this.counts.get(uri) ?? 0;
    this.counts.set(uri, count + 1);
    if (count === 0) post({ type: 'watch', uri });
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (this.counts.get(uri) ?? 1) - 1;
      if (left > 0) {
        this.counts.set(uri, left);
      } else {
        this.counts.delete(uri);
        post({ type: 'unwatch', uri });
      }
    };
  }
}
