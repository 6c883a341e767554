/** Lists of working directories, without duplicates. */
import { listOf } from '../../common/reducers/reducer.ts';
import type { URI } from './basic.ts';

type Directories = URI[] | undefined;

export function withDirectory(list: Directories, directory: URI): Directories {
  if (typeof directory !== 'string' || listOf(list).includes(directory)) return list;
  return [...listOf(list), directory];
}

/** Without the first entry that is this directory. */
export function withoutDirectory(list: Directories, directory: URI): Directories {
  const index = listOf(list).indexOf(directory);
  return index < 0 ? list : listOf(list).toSpliced(index, 1);
}

/** With another one in its place. The replacement stays where it is when it comes before, so that the first keeps its place. */
export function withDirectoryReplaced(list: Directories, directory: URI, replacement: URI): Directories {
  const index = listOf(list).indexOf(directory);
  if (index < 0 || typeof replacement !== 'string') return list;
  const before = listOf(list).indexOf(replacement);
  if (before >= 0 && before < index) return withoutDirectory(list, directory);
  return listOf(list).flatMap((entry, place) => (place === index ? [replacement] : entry === replacement ? [] : [entry]));
}
