/** The rules of the gateway's specifications, by document and heading, and the tests that prove them. */

/** Why no test of the gateway proves a rule. */
export interface Elsewhere {
  readonly why: string;
}
/** In our own words, and its tests: `file: part of the full title`, where a file is called by its name without `.test.ts`. */
export type Rule = readonly [rule: string, ...tests: string[]] | readonly [rule: string, elsewhere: Elsewhere];

export interface Section {
  readonly heading: string;
  /** What the section says in its text. */
  readonly prose: readonly Rule[];
  /** One for each row of its tables and each point of its lists, in their order. */
  readonly rows: readonly Rule[];
}
export interface Document {
  /** Under `../shared`. */
  readonly path: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

export const section = (heading: string, rules: { prose?: Rule[]; rows?: Rule[] }): Section => ({
  heading,
  prose: rules.prose ?? [],
  rows: rules.rows ?? [],
});
export const elsewhere = (why: string): Elsewhere => ({ why });

/** A section without a rule of its own. `rows` of its tables only point to others. */
export const story = (heading: string, rows = 0, about = 'explains; the rules are in the sections that follow'): Section =>
  section(heading, {
    prose: rows ? [] : [[about, elsewhere('no rule')]],
    rows: Array.from({ length: rows }, (): Rule => [about, elsewhere('no rule')]),
  });
