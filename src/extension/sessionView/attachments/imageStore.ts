/** Images that the user has pasted, as files that agents on this computer read. Equal ones are one file. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionOf, type ImageType } from '../../../views/session/composer/imageTypes.ts';

/** What is kept. The oldest goes first. */
const MAX_KEPT_BYTES = 200_000_000;

export class ImageStore {
  /** `folder`: absolute. It is made with the first image. */
  constructor(
    private readonly folder: string,
    private readonly maxKeptBytes = MAX_KEPT_BYTES,
  ) {}

  /** The path of the file. Only the user can read it. */
  async save(bytes: Uint8Array, type: ImageType): Promise<string> {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const path = join(this.folder, `image-${digest}.${extensionOf(type)}`);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.#makeRoom(bytes.length, path);
    await writeFile(path, bytes, { mode: 0o600 });
    const now = new Date();
    await utimes(path, now, now);
    return path;
  }

  async #makeRoom(bytes: number, except: string): Promise<void> {
    const names = await readdir(this.folder);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.folder, name);
        // Another window may have made room, too.
        const found = await stat(path).catch(() => undefined);
        return found && { path, size: found.size, mtimeMs: found.mtimeMs };
      }),
    );
    const others = files
      .filter((file) => file !== undefined)
      .filter(({ path }) => path !== except)
      .sort((a, b) => a.mtimeMs - b.mtimeMs);
    let total = others.reduce((sum, { size }) => sum + size, bytes);
    for (const { path, size } of others) {
      if (total <= this.maxKeptBytes) return;
      await rm(path, { force: true });
      total -= size;
    }
  }
}
