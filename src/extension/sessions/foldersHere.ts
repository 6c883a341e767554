/** Without folders of other file systems, as of a host elsewhere: an agent on this computer has none of their paths. */
export function foldersHere<T extends { uri: { scheme: string } }>(all: readonly T[] | undefined): T[] {
  return (all ?? []).filter(({ uri }) => uri.scheme === 'file');
}
