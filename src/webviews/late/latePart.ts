/** A part of a page that is loaded when it is first shown, so that the page itself is there sooner. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useState } from 'preact/hooks';
import { messageOf, TimeoutError, withTimeout } from '../../base/errors.ts';

/** To load a file of the extension and to run it. */
const LOAD_MS = 20_000;

/** Beside the page's own script. A browser names the file in the error. */
const FILES = import.meta.resolve('./');

export class LatePart<T> {
  /** Undefined until it is loaded. */
  loaded: T | undefined;
  /** Why it could not be loaded. It may be asked for again. */
  problem: string | undefined;
  #isLoading = false;
  /** The address that failed. A browser keeps the failure, so it is asked for under another one. */
  #failed: string | undefined;
  #tries = 0;
  readonly #listeners = new Set<() => void>();

  /** `name`: for the user, with its article. `load` takes another address of its file, after a failure. */
  constructor(
    readonly name: string,
    private readonly load: (again: string | undefined) => Promise<T>,
  ) {}

  /** Loads it, unless that was done or has failed. */
  want(): void {
    if (!this.problem) void this.#try();
  }

  /** Loads it after a failure. */
  retry(): void {
    if (this.problem === undefined) return;
    this.problem = undefined;
    this.#tell();
    void this.#try();
  }

  /** Loads it, also after a failure. Rejects with a text for the user. */
  whenLoaded(): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.loaded) resolve(this.loaded);
        else if (this.problem !== undefined) reject(new Error(l10n.t`${this.name} could not be loaded: ${this.problem}`));
        else return;
        end();
      };
      const end = this.subscribe(look);
      this.retry();
      this.want();
      look();
    });
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #try(): Promise<void> {
    if (this.loaded || this.#isLoading) return;
    this.#isLoading = true;
    try {
      const again = this.#failed === undefined ? undefined : `${this.#failed}?again=${++this.#tries}`;
      this.loaded = await withTimeout(this.load(again), LOAD_MS, 'Loading');
    } catch (error) {
      this.#failed ??= addressIn(messageOf(error));
      console.warn('Tapline could not load a part of the page', error);
      this.problem = error instanceof TimeoutError ? l10n.t`Loading it did not finish within ${LOAD_MS / 1000} s` : messageOf(error);
    } finally {
      this.#isLoading = false;
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** `load`: imports a module, of which `pick` takes the part. */
export function latePart<T, M>(name: string, load: () => Promise<M>, pick: (module: M) => T): LatePart<T> {
  return new LatePart(name, async (again) => pick(again === undefined ? await load() : ((await import(again)) as M)));
}

function addressIn(message: string): string | undefined {
  const start = message.indexOf(FILES);
  const end = message.indexOf('.js', start);
  return start < 0 || end < 0 ? undefined : message.slice(start, end + '.js'.length);
}

/** What it is, as soon as it is loaded. `isWanted` false: it is not loaded yet. */
export function useLatePart<T>(part: LatePart<T>, isWanted = true): T | undefined {
  const [, redraw] = useState({});
  const { loaded } = part;
  useEffect(() => {
    const end = part.subscribe(() => redraw({}));
    // It may have come since it was rendered.
    if (part.loaded !== loaded) redraw({});
    else if (isWanted) part.want();
    return end;
  }, [part, isWanted]);
  return loaded;
}
