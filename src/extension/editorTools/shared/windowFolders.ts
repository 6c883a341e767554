/** The tools may read and show only files of the window's folders, with all links resolved. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ToolError } from '../../../tap/provider/providerErrors.ts';
import { folderOf } from '../../sessions/sessionFolder.ts';

export class WindowFolders {
  /** `paths`: asked at each use, because folders come and go. */
  constructor(private readonly paths: () => readonly string[]) {}

  has(path: string): boolean {
    return folderOf(path, this.paths()) !== undefined;
  }

  /** The full path of a file. Throws a {@link ToolError} when it does not exist or lies outside the folders. */
  file(given: string): string {
    const folders = this.paths();
    const places = isAbsolute(given) ? [given] : folders.map((folder) => join(folder, given));
    const inside = places.filter((path) => this.has(path));
    if (inside.length === 0) throw new ToolError('UNAUTHORIZED', 'The path lies outside the folders of this window.');
    const found = inside.find((path) => existsSync(path));
    if (found === undefined) throw new ToolError('NOT_FOUND', 'There is no such file in the folders of this window.');
    return found;
  }
}
