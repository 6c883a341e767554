/** What documents and comments refer to is in a clone. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/** Folders at the top of a clone. Of `.github` and `tools`, documents also name what users have, and what protocols call so. */
const TOPS = /^(?:src|test|scripts|docs|examples|bench|media|python|samples|evals|tools\/vscode-web|\.github\/workflows)\//;
/** In code spans: whole paths, also with `*` and `{a,b}` in a part, and names of tests. */
const pathsIn = (file: string) =>
  [
    ...textOf(file)
      .replace(/^```[^]*?^```/gm, '')
      .matchAll(/`([\w.@{},*/-]+)(?:#[\w-]+)?`/g),
  ].map(([, path = '']) => path);
const tracked = ['src', 'test', 'scripts', 'docs', 'examples', 'bench', 'media', 'python', 'samples', 'evals', '.github'].flatMap(below);
const testNames = new Set(tracked.map((path) => basename(path)).filter((name) => name.includes('.test.')));
/** What stands after a test file and `›`, in the parts that were not left out (`…`). */
function titlesIn(file: string): { line: string; tests: string; part: string }[] {
  return textOf(file)
    .split('\n')
    .flatMap((line) => {
      let tests = '';
      let isQuoting = false;
      return [...line.matchAll(/`([^`]+)`|›|(?<!\w)_([^_]+)_(?!\w)/g)].flatMap(([sign, code, title]) => {
        if (sign === '›') isQuoting = true;
        if (code !== undefined && /\.tsx?$/.test(code)) [tests, isQuoting] = [code, false];
        if (title === undefined || !isQuoting) return [];
        const parts = title.split('…').map((part) => part.trim().replace(/,$/, ''));
        return parts.filter(Boolean).map((part) => ({ line: line.slice(0, 60), tests, part }));
      });
    });
}
function isThere(path: string): boolean {
  if (!/[*{]/.test(path)) return existsSync(join(root, path));
  const pattern = path
    .replace(/[.+]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);
  return tracked.some((one) => new RegExp(`^${pattern.replace(/\/$/, '')}$`).test(one));
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

  it('to tests have the titles that those have', () => {
    const quoted = ['docs/reliability.md'].flatMap(titlesIn);
    assert.ok(quoted.length > 80, `${quoted.length} titles`);
    const broken = quoted.filter(({ tests, part }) => {
      const files = tracked.filter((path) => path === tests || path.endsWith(`/${tests}`));
      return !files.some((path) => textOf(path).includes(part));
    });
    assert.deepEqual(broken, []);
  });

  it('in code spans are paths and tests that are there', () => {
    const named = documents.flatMap((file) => pathsIn(file).map((path) => ({ file, path })));
    const paths = named.filter(({ path }) => TOPS.test(path));
    assert.ok(paths.length > 300, `${paths.length} paths`);
    const broken = [
      ...paths.filter(({ file, path }) => !isThere(path) && !existsSync(join(root, dirname(file), path))),
      ...named.filter(({ path }) => /^[\w.-]+\.test\.tsx?$/.test(path) && !testNames.has(path)),
      ...named.filter(
        ({ path }) => /^[\w.-]+\/[\w./-]+\.tsx?$/.test(path) && !tracked.some((one) => one.endsWith(`/${path}`) || one === path),
      ),
    ];
    assert.deepEqual(
      broken.map(({ file, path }) => `${file}: ${path}`),
      [],
    );
  });
});
