/** What a search for a name finds in a folder: its files, and the folders on their way whose name fits. */

export interface FoundPath {
  /** From the folder that was searched, with `/`. */
  path: string;
  isFolder: boolean;
}

/** The characters of a name that a pattern takes as they are. */
export function plainName(query: string): string {
  return query.replace(/[^\p{L}\p{N}._/-]/gu, '');
}

/** Of VS Code. For files whose path ends with the name and more, and for all that is in folders with such a name. */
export function globFor(name: string): string {
  if (name === '') return '**/*';
  const anyCase = name.replace(/\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
  return `{**/*${anyCase}*,**/*${anyCase}*/**}`;
}

/** Best first: what begins with the name, then what is short. `files`: paths from the folder. */
export function bestPaths(files: readonly string[], name: string, limit: number): FoundPath[] {
  const wanted = name.toLowerCase();
  const found = new Map<string, FoundPath>();
  for (const file of files) {
    for (let end = file.indexOf('/'); end > 0; end = file.indexOf('/', end + 1)) {
      const path = file.slice(0, end);
      found.set(path, { path, isFolder: true });
    }
    found.set(file, { path: file, isFolder: false });
  }
  const fits = ({ path }: FoundPath) => {
    const at = path.toLowerCase().lastIndexOf(wanted);
    return at >= 0 && !path.slice(at + wanted.length).includes('/');
  };
  const rank = ({ path }: FoundPath) => (baseOf(path).toLowerCase().startsWith(baseOf(wanted)) ? 0 : 100_000) + path.length;
  return [...found.values()]
    .filter(fits)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, limit);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
