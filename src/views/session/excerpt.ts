/** How much of a long text a waiting card shows before it is asked for all of it. */

const MAX_LINES = 20;
const MAX_CHARACTERS = 1000;

/** The first lines, the last of them cut where it is long; the same array when that is all. */
export function excerpt(lines: readonly string[]): readonly string[] {
  const first: string[] = [];
  let left = MAX_CHARACTERS;
  for (const line of lines.slice(0, MAX_LINES)) {
    if (line.length > left) {
      // Never half a character.
      first.push(line.slice(0, left).replace(/[\ud800-\udbff]$/, ''));
      return first;
    }
    first.push(line);
    left -= line.length;
  }
  return first.length === lines.length ? lines : first;
}

/** "80 lines, 3,120 characters" */
export function sizeText(lines: readonly string[]): string {
  const characters = lines.reduce((sum, line) => sum + line.length, lines.length - 1);
  return `${count(lines.length, 'line')}, ${count(characters, 'character')}`;
}

/** "512 bytes", "3.4 kB", "1.2 MB" */
export function byteText(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en')} ${unit}${number === 1 ? '' : 's'}`;
}
