/** The part of a long text that a waiting card shows until the user asks for all of it. */
import * as l10n from '../../base/l10n.ts';

const ROOM = { lines: 20, characters: 1000 };

/** The first lines, with a long last line cut. Returns the same array when nothing is left out. */
export function excerpt(lines: readonly string[], room = ROOM): readonly string[] {
  const first: string[] = [];
  let left = room.characters;
  for (const line of lines.slice(0, room.lines)) {
    if (line.length > left) {
      // Do not split a surrogate pair.
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
  return l10n.commaText([
    l10n.plural(lines.length, l10n.t`${l10n.countText(lines.length)} line`, l10n.t`${l10n.countText(lines.length)} lines`),
    l10n.plural(characters, l10n.t`${l10n.countText(characters)} character`, l10n.t`${l10n.countText(characters)} characters`),
  ]);
}

/** "512 bytes", "3.4 kB", "1.2 MB" */
export function byteText(bytes: number): string {
  if (bytes < 1000) return l10n.plural(bytes, l10n.t`${l10n.countText(bytes)} byte`, l10n.t`${l10n.countText(bytes)} bytes`);
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${l10n.countText(size, { maximumFractionDigits: 1 })} ${unit}`;
}
