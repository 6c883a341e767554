/** The session owners, also those that may come back. */
import type { Disposable } from '../../base/lifecycle.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { Owner, type OwnerConnection, type OwnerOptions } from './owner.ts';

export class Owners implements Disposable {
  /** By the digest of its key, so that no comparison tells anything of a key. */
  readonly #byKey = new Map<string, Owner>();
  readonly #all = new Set<Owner>();

  constructor(private readonly options: Omit<OwnerOptions, 'onGone'>) {}

  /** The owner with this key, or a new one. A connection that it still has is replaced. */
  enter(name: string, key: string | undefined, connection: OwnerConnection): Owner {
    const digest = key === undefined ? undefined : sha256(key);
    const owner = (digest !== undefined && this.#byKey.get(digest)) || this.#add(digest);
    owner.connect(name, connection);
    return owner;
  }

  dispose(): void {
    for (const owner of this.#all) owner.dispose();
  }

  #add(digest: string | undefined): Owner {
    const onGone = () => {
      owner.dispose();
      this.#all.delete(owner);
      if (digest !== undefined) this.#byKey.delete(digest);
    };
    const owner = new Owner({ ...this.options, onGone }, digest !== undefined);
    this.#all.add(owner);
    if (digest !== undefined) this.#byKey.set(digest, owner);
    return owner;
  }
}
