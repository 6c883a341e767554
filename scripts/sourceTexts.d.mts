/** Texts by their keys; one with a comment for translators is an object. */
export function sourceTexts(root: string, folders?: readonly string[]): Record<string, string | { message: string; comment: string[] }>;
