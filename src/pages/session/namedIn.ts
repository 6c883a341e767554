import type { URI } from '../../ahp/common/shapes.ts';

/** Members in which a state says where something is. Texts may have the same words. */
const NAMING = new Set(['uri', 'resource']);

/** True when one of the states names the resource: a chat, a terminal, a side of an edit, a file of a message. */
export function isNamedIn(states: readonly (object | undefined)[], uri: URI): boolean {
  const left: unknown[] = [...states];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, value] of Object.entries(one)) {
      if (value === uri && NAMING.has(name)) return true;
      if (typeof value === 'object') left.push(value);
    }
  }
  return false;
}

/** True for what is in the folder, also for a host that decodes the URI once more. */
export function isBelow(folder: URI, uri: URI): boolean {
  if (/%2f|%5c|%25|\\/i.test(uri) || !URL.canParse(uri) || !URL.canParse(folder)) return false;
  // Both without `.` and `..`.
  return new URL(uri).href.startsWith(`${new URL(folder).href.replace(/\/$/, '')}/`);
}
