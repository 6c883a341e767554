/** One note: Markdown, with a heading before it in YAML that may say which files it is about. */
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { messageOf } from '../../base/errors.ts';
import { splitFrontMatter } from '../../base/text/frontMatter.ts';
import type { Selector } from '../../openctx/protocol/messages.ts';

/** How many globs, and how many texts. */
const MAX_OF_EACH = 20;
const MAX_TITLE = 200;

const list = z.pipe(
  z.union([z.string(), z.array(z.string()).check(z.maxLength(MAX_OF_EACH))]),
  z.transform((given) => (typeof given === 'string' ? [given] : given)),
);
const heading = z.object({ title: z.optional(z.string()), path: z.optional(list), contains: z.optional(list) });

export interface Note {
  title: string;
  /** Without the heading. */
  text: string;
  /** Texts in files, at which it is shown. */
  contains: string[];
  /** Of the files that it is about. None: of no file, so it can only be mentioned. */
  selectors: Selector[];
  /** What is wrong with its heading, which is ignored then. */
  problem?: string;
}

/** `name`: of its file. */
export function parseNote(name: string, source: string): Note {
  const { yaml, text } = splitFrontMatter(source);
  const { title, path, contains = [], problem } = yaml === undefined ? {} : readHeading(yaml);
  const paths = path ?? [];
  const texts = contains.filter((one) => one !== '');
  const selectors = paths.length + texts.length === 0 ? [] : product(paths, texts);
  return {
    title: (title ?? firstHeading(text) ?? name.replace(/\.md$/i, '')).slice(0, MAX_TITLE),
    text,
    contains: texts,
    selectors,
    ...(problem !== undefined && { problem }),
  };
}

function readHeading(yaml: string): z.infer<typeof heading> & { problem?: string } {
  try {
    return heading.parse(parse(yaml) ?? {});
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) return { problem: messageOf(error) };
    const [issue] = error.issues;
    return { problem: `${(issue?.path ?? []).map(String).join('.')} ${issue?.message ?? ''}`.trim() };
  }
}

/** One of the paths and one of the texts. */
function product(paths: readonly string[], texts: readonly string[]): Selector[] {
  const withPaths: Selector[] = paths.length === 0 ? [{}] : paths.map((path) => ({ path }));
  if (texts.length === 0) return withPaths;
  return withPaths.flatMap((selector) => texts.map((contentContains) => ({ ...selector, contentContains })));
}

/** In time that grows with the line only: a pattern with spaces before the end would take very long on some. */
function firstHeading(text: string): string | undefined {
  const [line = ''] = text.trimStart().split(/\r?\n/, 1);
  const [mark] = /^#{1,6}[ \t]/.exec(line) ?? [];
  if (mark === undefined) return undefined;
  const title = line.slice(mark.length).trim();
  let end = title.length;
  while (title[end - 1] === '#') end--;
  return title.slice(0, end).trimEnd() || undefined;
}
