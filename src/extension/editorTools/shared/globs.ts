/** Patterns of `search.exclude` as one pattern, which is all that VS Code's search for files takes. */

const MAX_PATTERNS = 500;
const BRACES = /\{([^{}]*)\}/;

/** Undefined where nothing is excluded. Patterns that depend on a file beside (`when`) exclude nothing. */
export function excludePattern(setting: unknown): string | undefined {
  const patterns = Object.entries((setting ?? {}) as Record<string, unknown>).flatMap(([pattern, value]) =>
    value === true ? [pattern] : [],
  );
  const plain = [...new Set(patterns.slice(0, MAX_PATTERNS).flatMap(withoutBraces))].slice(0, MAX_PATTERNS);
  return plain.length > 1 ? `{${plain.join(',')}}` : plain[0];
}

/** VS Code's patterns take no braces inside braces, so they are expanded. A repository may write these settings, and each pair of braces multiplies the patterns. */
function withoutBraces(pattern: string): string[] {
  let plain = [pattern];
  while (plain.some((one) => BRACES.test(one))) plain = plain.flatMap(withoutInnermost).slice(0, MAX_PATTERNS);
  return plain;
}

function withoutInnermost(pattern: string): string[] {
  const innermost = BRACES.exec(pattern);
  if (!innermost) return [pattern];
  const before = pattern.slice(0, innermost.index);
  const after = pattern.slice(innermost.index + innermost[0].length);
  const choices = (innermost[1] ?? '').split(',');
  return choices.slice(0, MAX_PATTERNS).map((choice) => `${before}${choice}${after}`);
}
