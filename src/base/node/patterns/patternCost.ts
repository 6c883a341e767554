/**
 * The cost of compiling a regular expression, estimated from its text. `(a{100}){100}` is short, but has ten thousand states when its
 * repetitions are written out.
 */

/** A longer pattern is never small enough when compiled. */
const MAX_LENGTH = 5000;
/** Ranges of a class such as `\p{L}`. */
const UNICODE_RANGES = 650;
/** Ranges that cost as much as one state: once when the class is built, and again in each state that has the class. */
const RANGES_MADE = 20;
const RANGES_HELD = 256;
/** Characters of a range that cost as much as one range when case is ignored, because each of them is looked up. */
const FOLDED = 20;

const groupStart = /\((?:\?(?:P?<\w*>|([a-zA-Z-]*)([:)])))?/y;
const repetition = /\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/y;
const unicodeClass = /\\[pP](?:\{[\w^]*\}|[^{])/uy;
const namedClass = /\[:\^?\w*:\]|\\[dDsSwW]/y;
const character = /\\x\{([0-9a-fA-F]+)\}|\\x([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\?(.)/suy;

/** The content of a group so far. */
interface Group {
  readonly isCaptured: boolean;
  before: number;
  /** The last part, to which a repetition applies. */
  last: number;
}
const newGroup = (isCaptured = false): Group => ({ isCaptured, before: 0, last: 0 });

/**
 * The cost in states of the compiled pattern. It is never less than the pattern has, and more where classes are large. For a pattern that
 * does not compile it may be any number.
 */
export function patternCost(source: string): number {
  if (source.length > MAX_LENGTH) return Infinity;
  const outer: Group[] = [];
  let group = newGroup();
  let classes = 0;
  let ignoresCase = false;
  let at = 0;

  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const add = (cost: number) => {
    group.before += group.last;
    group.last = cost;
  };
  const addClass = (ranges: number) => {
    classes += ranges / RANGES_MADE;
    add(1 + ranges / RANGES_HELD);
  };
  const takeCharacter = () => {
    const [, long, pair, octal, literal] = take(character) ?? [];
    const hex = long ?? pair;
    return hex ? parseInt(hex, 16) : octal ? parseInt(octal, 8) : (literal?.codePointAt(0) ?? 0);
  };
  /** The ranges of a class in brackets. */
  const takeClass = () => {
    let ranges = 0;
    at += source[at + 1] === '^' ? 2 : 1;
    for (let isFirst = true; at < source.length && (isFirst || source[at] !== ']'); isFirst = false) {
      ranges++;
      if (take(namedClass)) continue;
      if (take(unicodeClass)) {
        ranges += UNICODE_RANGES;
        continue;
      }
      const low = takeCharacter();
      if (source[at] !== '-' || source[at + 1] === ']') continue;
      at++;
      const high = takeCharacter();
      if (ignoresCase) ranges += Math.max(0, high - low) / FOLDED;
    }
    at++;
    return ranges;
  };

  while (at < source.length) {
    if (source.startsWith('\\Q', at)) {
      const end = source.indexOf('\\E', at);
      const literal = source.slice(at + 2, end < 0 ? undefined : end);
      for (let count = literal.length; count > 0; count--) add(1);
      at += literal.length + (end < 0 ? 2 : 4);
      continue;
    }
    switch (source[at]) {
      case '(': {
        const [, flags = '', end] = take(groupStart) ?? [];
        ignoresCase ||= flags.includes('i');
        if (end === ')') break; // flags for what follows, not a group
        outer.push(group);
        group = newGroup(end !== ':');
        break;
      }
      case ')': {
        at++;
        const { before, last, isCaptured } = group;
        group = outer.pop() ?? newGroup();
        add(Math.max(1, before + last) + (isCaptured ? 2 : 0));
        break;
      }
      case '|':
        at++;
        add(2);
        add(0);
        break;
      case '*':
        at++;
        group.last += 2;
        break;
      case '+':
      case '?':
        at++;
        group.last += 1;
        break;
      case '{': {
        const [found, min, open, max] = take(repetition) ?? [];
        if (found === undefined) {
          at++;
          add(1);
          break;
        }
        const [least, most] = [Number(min), Number(max ?? min)];
        group.last = group.last * Math.max(1, most) + (open && max === undefined ? 2 : most - least);
        break;
      }
      case '[':
        addClass(takeClass());
        break;
      default:
        if (take(unicodeClass)) addClass(UNICODE_RANGES);
        else {
          takeCharacter();
          add(1);
        }
    }
  }
  return Math.ceil([...outer, group].reduce((sum, { before, last }) => sum + before + last, 3) + classes);
}
