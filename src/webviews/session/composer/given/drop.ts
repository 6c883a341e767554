/** Reads the files that were dropped on the view, from VS Code's explorer and editors, or from other programs that provide a file's URI. */

const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];

export function holdsFiles(data: DataTransfer | null): boolean {
  return data?.types.some((type) => type === 'Files' || URI_LISTS.includes(type)) ?? false;
}

/** Empty when the program provides only the contents: a browser does not say where the files are. */
export function droppedUris(data: DataTransfer | null): string[] {
  const list = URI_LISTS.map((type) => data?.getData(type)).find(Boolean) ?? '';
  return list.split(/\r?\n/).filter((line) => /^[a-z][a-z0-9+.-]*:/i.test(line));
}
