/** Results that are too large for a message go to the gateway as files, which it reads at once. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { isRecord } from '../../base/isRecord.ts';
import { FileResult } from '../../tap/provider/providerApi.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { RESULT_FILE_TYPE } from '../../tap/wire/resultContent.ts';

/** For what the message has beside the data. */
const ENVELOPE_BYTES = 1024;
/** Seconds in which the gateway may read a file. */
const TTL = 60;
const FOLDER = 'results';

export class LargeResults implements Disposable {
  /** Ends the wait before a file is removed, by its path. */
  readonly #removals = new Map<string, Disposable>();

  /** `onError`: a file cannot be removed. No call fails because of that. */
  constructor(private readonly onError: (error: unknown) => void) {}

  dispose(): void {
    for (const [path, wait] of this.#removals) {
      wait.dispose();
      this.#remove(path);
    }
    this.#removals.clear();
  }

  /** `persistDir`: the provider's folder; without one the data stays as it is. */
  async resultOf(data: unknown, persistDir: string | undefined): Promise<unknown> {
    if (persistDir === undefined) return data;
    const json = JSON.stringify(data);
    if (Buffer.byteLength(json) <= Limit.toolResultBytes - ENVELOPE_BYTES) return data;
    // The gateway takes an object.
    const content = Buffer.from(isRecord(data) ? json : JSON.stringify({ content: [{ type: 'text', text: data }] }));
    const folder = join(persistDir, FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await this.#removeOld(folder);
    const path = join(folder, `${randomUUID()}.json`);
    await writeFile(path, content, { mode: 0o600 });
    this.#removeLater(path);
    return new FileResult({ path, mimeType: RESULT_FILE_TYPE, size: content.byteLength, ttl: TTL });
  }

  #removeLater(path: string): void {
    const timer = setTimeout(() => {
      this.#removals.delete(path);
      this.#remove(path);
    }, TTL * 1000);
    timer.unref();
    this.#removals.set(
      path,
      toDisposable(() => clearTimeout(timer)),
    );
  }

  /** What a process has left that was killed. */
  async #removeOld(folder: string): Promise<void> {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0, // another process has removed it
      );
      if (age > TTL * 1000) this.#remove(path);
    }
  }

  #remove(path: string): void {
    rm(path, { force: true }).catch(this.onError);
  }
}
