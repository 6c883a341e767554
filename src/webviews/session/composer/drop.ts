/** What was dropped on the view: files of VS Code's explorer and editors, and of other programs that tell where a file is. */

const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];

export function holdsFiles(data: DataTransfer | null): boolean {
  return data?.types.some((type) => type === 'Files' || URI_LISTS.includes(type)) ?? false;
}

/** Empty when the program told the contents only: a browser does not say where those files are. */
export function droppedUris(data: DataTransfer | null): string[] {
  const list = URI_LISTS.map((type) => data?.getData(type)).find(Boolean) ?? '';
  return list.split(/\r?\n/).filter((line) => /^[a-z][a-z0-9+.-]*:/i.test(line));
}
