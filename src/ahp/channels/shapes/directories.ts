/** Lists of working directories, without duplicates. */
import { listIn, listOf, plainOf, setField } from '../../common/reducers/reducer.ts';
import type { URI } from './basic.ts';

interface Holder {
  workingDirectories?: URI[];
}

export function addDirectory(draft: Holder, directory: URI): void {
  if (typeof directory !== 'string' || listOf(draft.workingDirectories).includes(directory)) return;
  listIn(draft, 'workingDirectories').push(directory);
}

/** Removes the first entry that is this directory. */
export function removeDirectory(draft: Holder, directory: URI): void {
  const index = listOf(draft.workingDirectories).indexOf(directory);
  if (index >= 0) draft.workingDirectories?.splice(index, 1);
}

/** Puts another one in its place. The replacement stays where it is when it comes before, so that the first keeps its place. */
export function replaceDirectory(draft: Holder, directory: URI, replacement: URI): void {
  const list = listOf(plainOf(draft.workingDirectories));
  const index = list.indexOf(directory);
  if (index < 0 || typeof replacement !== 'string') return;
  const before = list.indexOf(replacement);
  if (before >= 0 && before < index) removeDirectory(draft, directory);
  else {
    const replaced = list.flatMap((entry, place) => (place === index ? [replacement] : entry === replacement ? [] : [entry]));
    setField(draft, 'workingDirectories', replaced);
  }
}
