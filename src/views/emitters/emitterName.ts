const MAX_WORDS = 3;
/** Leaves room for a number. */
const MAX_LENGTH = 40;

/** A name for what is watched, from what it does; another one than those that are taken. */
export function nameFor(text: string, taken: Iterable<string>): string {
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const base = words.slice(0, MAX_WORDS).join('-').slice(0, MAX_LENGTH).replace(/-$/, '') || 'watch';
  const others = new Set(taken);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!others.has(name)) return name;
  }
}
