/** The heading in YAML between two lines of `---` at the beginning of a Markdown file, and the text after it. `yaml` is absent where there is none. */
export function splitFrontMatter(source: string): { yaml?: string; text: string } {
  const [whole = '', yaml] = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(source) ?? [];
  const text = source.slice(whole.length);
  return yaml === undefined ? { text } : { yaml, text };
}
