/** What documents and comments refer to is in a clone. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { root } from './documented.ts';

const below = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
const documents = [...readdirSync(root), ...['docs', 'examples', 'samples', 'media'].flatMap(below)].filter((file) => file.endsWith('.md'));
/** Tests may name what they read from outside. They are skipped without it, and say so. */
const programs = ['src', 'scripts', 'examples', 'bench'].flatMap(below).filter((file) => /(?<!\.test)\.(ts|tsx|mjs)$/.test(file));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
/** As GitHub makes them of headings. */
const anchorsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

function linksOf(file: string): string[] {
  const inline = new MarkdownIt().parse(textOf(file), {}).flatMap(({ children }) => children ?? []);
  const written = inline.map((token) => String(token.attrGet(token.type === 'image' ? 'src' : 'href') ?? '')).filter(Boolean);
  const pictures = [...textOf(file).matchAll(/<(?:img|source)[^>]* (?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path);
  return [...written, ...pictures];
}

describe('the references of documents and comments', () => {
  it('in links lead to files and headings that are there', () => {
    const broken = documents.flatMap((file) =>
      linksOf(file)
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [path = '', anchor] = decodeURI(link).split('#');
          const target = path === '' ? file : join(dirname(file), path);
          return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
        })
        .map((link) => `${file}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('to documents lead to those of the repository', () => {
    const broken = [...documents, ...programs].flatMap((file) =>
      [...textOf(file).matchAll(/\b(?:docs|design|spec)\/[\w/.-]+\.(?:md|json|jsonl)\b/g)]
        .map(([path]) => path)
        .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, dirname(file), path)))
        .map((path) => `${file}: ${path}`),
    );
    assert.deepEqual(broken, []);
  });
});
