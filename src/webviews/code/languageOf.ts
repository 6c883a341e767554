/** By which grammar the text of a file is read: the ending of its name, or the name of a kind of file without one. Empty: none. */
export function languageOfFile(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (/^(dockerfile|makefile)$/.test(name)) return name;
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return ending === name ? '' : (others[ending] ?? ending);
}

/** Endings that are no alias of their language. */
const others: Readonly<Partial<Record<string, string>>> = {
  htm: 'html', mdx: 'md', pyi: 'py', ps1: 'powershell', psm1: 'powershell', scala: 'java', vue: 'html', svelte: 'html', gql: 'graphql', cfg: 'ini', conf: 'ini',
}; // prettier-ignore
