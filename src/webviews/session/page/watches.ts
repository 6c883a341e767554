/** Counts the watchers of each resource, so that the extension gets one `watch` and one `unwatch` message for it. */
import type { URI } from '../../../ahp/v1/common.ts';
import type { SessionPort } from './sessionPort.ts';

type Post = SessionPort['post'];

export class Watches {
  private readonly counts = new Map<Post, Map<URI, number>>();

  /** Watches everything again, because the extension may have been reloaded. */
  renew(): void {
    for (const [post, uris] of this.counts) for (const uri of uris.keys()) post({ type: 'watch', uri });
  }

  /** `post`: of the session that refers to the resource. Returns a function that ends the watch. Calling it again does nothing. */
  watch(post: Post, uri: URI): () => void {
    const counts = this.counts.get(post) ?? new Map<URI, number>();
    this.counts.set(post, counts);
    const count = counts.get(uri) ?? 0;
    counts.set(uri, count + 1);
    if (count === 0) post({ type: 'watch', uri });
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (counts.get(uri) ?? 1) - 1;
      if (left > 0) {
        counts.set(uri, left);
        return;
      }
      counts.delete(uri);
      if (counts.size === 0) this.counts.delete(post);
      post({ type: 'unwatch', uri });
    };
  }
}
