/** Gives the place of a text in the manifest, `%key%`, and keeps its English. */
export type Text = (key: string, english: string) => string;
