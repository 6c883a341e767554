// The icons that pages name. All of VS Code's are 34 kB of rules, which would stand in the document of every page.

const RULE = /^\.codicon-([\w-]+):before \{ content: "[^"]*" \}\r?\n/gm;

/** Codicons' styles without the icons that no script names, be it alone as a text or as a class. Whatever else is in them stays. */
export function iconsNamedIn(styles, scripts) {
  const named = new Set(scripts.flatMap((script) => script.match(/(?<![\w-])(?:codicon-)?[a-z][\w-]*(?=["'`\s])/g) ?? []));
  let kept = 0;
  const few = styles.replace(RULE, (rule, name) => (named.has(name) || named.has(`codicon-${name}`) ? (kept++, rule) : ''));
  if (kept === 0 || few.length === styles.length) throw new Error('The icons of pages are not found in the styles of codicons');
  return few;
}
