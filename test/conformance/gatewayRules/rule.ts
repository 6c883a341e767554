/** The rules of the gateway's specifications, by document and heading, and the tests that prove them. */

/** Why no test of the gateway proves a rule. */
export interface Elsewhere {
  readonly why: string;
}
/** A rule in our own words with its tests: `file: part of the full title`, where `file` is the file's name without `.test.ts`. */
export type Rule = readonly [rule: string, ...tests: string[]] | readonly [rule: string, elsewhere: Elsewhere];

export interface Section {
  readonly heading: string;
  /** Rules from the text of the section. */
  readonly prose: readonly Rule[];
  /** One for each table row and list item, in their order. */
  readonly rows: readonly Rule[];
}
export interface Document {
  /** Path of the document in the shared data; absent for rules of this project. */
  readonly path?: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

export const section = (heading: string, rules: { prose?: Rule[]; rows?: Rule[] }): Section => ({
  heading,
  prose: rules.prose ?? [],
  rows: rules.rows ?? [],
});
export const elsewhere = (why: string): Elsewhere => ({ why });

/** A section without rules of its own. */
export const story = (heading: string, rows = 0, about = 'explains; the rules are in the sections that follow'): Section =>
  section(heading, {
    prose: rows ? [] : [[about, elsewhere('no rule')]],
    rows: Array.from({ length: rows }, (): Rule => [about, elsewhere('no rule')]),
  });
