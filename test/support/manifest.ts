/** The manifest of the extension as VS Code reads it: with the texts of a language in the place of their keys. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document of VS Code’s that tests look into
export type Manifest = any;

/** As it is in `package.json`. */
export function rawManifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** By key. Without a language: the English ones. */
export function manifestTexts(language?: string): Record<string, string> {
  const name = language === undefined ? 'package.nls.json' : `package.nls.${language}.json`;
  return JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, string>;
}

export function manifestIn(language?: string): Manifest {
  return resolved(rawManifest() as Json, manifestTexts(language));
}

function resolved(value: Json, texts: Readonly<Record<string, string>>): Json {
  if (typeof value === 'string') {
    const key = /^%(.+)%$/.exec(value)?.[1];
    if (key === undefined) return value;
    const text = texts[key];
    if (text === undefined) throw new Error(`There is no text ${key}.`);
    return text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => resolved(one, texts));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one as Json, texts)]));
}
