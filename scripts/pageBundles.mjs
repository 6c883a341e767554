// How the pages are built, by the build and by the tests that load them. A page is a module, and each is built alone: it has all that it imports at its start
// in its own file, and what it imports by `import()` in another one, which is loaded when it is needed. All files are in one folder, beside each other.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstFile } from './firstFile.mjs';

const session = fileURLToPath(new URL('../src/webviews/session', import.meta.url));
const LATE = 'late-parts';

/** What a session shows after its first picture. Names of its exports must differ. */
const late = [
  'elements.ts',
  'NewSession.tsx',
  'composer/ContextMeter.tsx',
  'composer/queue/Queue.tsx',
  'find/FindBar.tsx',
  'frame/QuestionDialog.tsx',
  'composer/given/takenFiles.ts',
  'text/MarkdownView.tsx',
  'toolCall/DiffView.tsx',
  'waiting/questions/SharedQuestionForm.tsx',
  'watching/Watched.tsx',
  'watching/slashCommands.tsx',
].map((file) => join(session, file));

/** Puts them into one file. Each in its own would cut what they share with the page into dozens. */
const together = {
  name: LATE,
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' && late.includes(join(resolveDir, path)) ? { path: LATE, namespace: LATE } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: LATE }, () => ({
      contents: late.map((file) => `export * from ${JSON.stringify(file)};`).join('\n'),
      resolveDir: session,
    }));
  },
};

export const pageOptions = {
  bundle: true,
  platform: 'browser',
  target: 'chrome120',
  format: 'esm',
  splitting: true,
  plugins: [together, firstFile],
  metafile: true,
  // A name changes with what is in the file, so that no page of an earlier build gets a part of a later one.
  chunkNames: '[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
};
