/** Counts the watchers of each resource, so that the extension gets one `watch` and one `unwatch` message for it. */
import type { URI } from '../../../ahp/common/shapes.ts';
import type { SessionMessage } from '../protocol.ts';
import type { SessionPort } from './sessionPort.ts';

type Post = SessionPort['post'];
export type WatchedKind = Extract<SessionMessage, { type: 'watch' }>['kind'];

export class Watches {
  readonly #counts = new Map<Post, Map<URI, { kind: WatchedKind; count: number }>>();

  /** Watches everything again, because the extension may have been reloaded. */
  renew(): void {
    for (const [post, uris] of this.#counts) for (const [uri, { kind }] of uris) post({ type: 'watch', uri, kind });
  }

  /** `post`: of the session that refers to the resource. Returns a function that ends the watch. Calling it again does nothing. */
  watch(post: Post, uri: URI, kind: WatchedKind): () => void {
    const counts = this.#counts.get(post) ?? new Map<URI, { kind: WatchedKind; count: number }>();
    this.#counts.set(post, counts);
    const count = counts.get(uri)?.count ?? 0;
    counts.set(uri, { kind, count: count + 1 });
    if (count === 0) post({ type: 'watch', uri, kind });
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const left = (counts.get(uri)?.count ?? 1) - 1;
      if (left > 0) {
        counts.set(uri, { kind, count: left });
        return;
      }
      counts.delete(uri);
      if (counts.size === 0) this.#counts.delete(post);
      post({ type: 'unwatch', uri });
    };
  }
}
