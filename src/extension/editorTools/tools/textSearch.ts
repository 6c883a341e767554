/** Search in the files of the window's folders, with the texts that are not saved yet. Only public API: VS Code's own search is not for extensions. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import { cutList } from '../shared/cutAnswer.ts';
import { type EditorTool, editorTool } from '../shared/editorTool.ts';
import { excludePattern } from '../shared/globs.ts';
import type { LineMatch } from '../shared/lineSearch.ts';
import type { WindowFolders } from '../shared/windowFolders.ts';
import { fileOf } from './fileAndRange.ts';

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 100 * 1024 * 1024;
/** Below the timeout of the call, so that there is an answer. */
const MAX_MS = 20_000;
const MAX_MATCHES = 200;
/** Files that a query takes too long for, a second each, before the search ends. */
const MAX_TOO_SLOW = 3;
/** A file with a NUL near its beginning is not text. */
const PROBE_BYTES = 8000;

const input = z.strictObject({
  query: z.string().min(1).max(1000).describe('The text, or the regular expression in the syntax of RE2. It is searched in each line.'),
  isRegex: z.boolean().default(false),
  matchCase: z.boolean().default(false),
  include: z.string().min(1).max(500).optional().describe('Only files that match this glob pattern, for example **/*.ts'),
  maxMatches: z.number().min(1).max(MAX_MATCHES).default(100),
});

type Query = z.output<typeof input>;
type Match = LineMatch & { file: string };

export function textSearchTools(folders: WindowFolders): EditorTool[] {
  return [
    editorTool({
      name: 'editor_search_text',
      description:
        'Searches the text files of this workspace line by line, including changes that are not saved yet. Leaves out what the settings files.exclude and search.exclude leave out, and files above 1 MiB. Lines and columns begin with 1.',
      input,
      isReadOnly: true,
      run: (query, signal) => search(folders, query, signal),
    }),
  ];
}

async function search(folders: WindowFolders, query: Query, signal: AbortSignal): Promise<unknown> {
  const { lineSearch } = await import('../shared/lineSearch.ts');
  const find = lineSearch(query);
  const deadline = Date.now() + MAX_MS;
  const documents = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
  const files = await listFiles(query.include, signal);
  const matches: Match[] = [];
  let bytes = 0;
  let searched = 0;
  let tooSlow = 0;
  for (const uri of files) {
    signal.throwIfAborted();
    if (matches.length > query.maxMatches || bytes > MAX_BYTES || Date.now() > deadline) break;
    searched++;
    const file = fileOf(uri, folders);
    if (file === undefined) continue;
    const document = documents.get(uri.toString());
    const text = document ? document.getText() : await readText(file);
    bytes += text.length;
    // One more than is wanted shows that there are more.
    const found = find(text, query.maxMatches + 1 - matches.length);
    if (found) matches.push(...found.map((match) => ({ file, ...match })));
    else if (++tooSlow >= MAX_TOO_SLOW) break;
  }
  const { items, cut } = cutList(matches, query.maxMatches, 'matches');
  const notes = [
    ...(cut === undefined ? [] : [`Only the first ${items.length} matches are listed.`]),
    ...(cut === undefined && searched < files.length
      ? [`The search took too long: ${searched} of ${files.length} files were searched.`]
      : []),
    ...(tooSlow > 0 ? [`The query takes too long for ${tooSlow} of the files. They were left out: make it simpler.`] : []),
    ...(files.length >= MAX_FILES ? [`Only the first ${MAX_FILES} files are searched.`] : []),
  ];
  return { matches: items, ...(notes.length > 0 && { cut: `${notes.join(' ')} Narrow the search, for example with “include”.` }) };
}

/** Excludes `files.exclude` (by itself) and `search.exclude`. */
async function listFiles(include = '**/*', signal: AbortSignal): Promise<vscode.Uri[]> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const files: vscode.Uri[] = [];
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const exclude = excludePattern(vscode.workspace.getConfiguration('search', folder.uri).get('exclude'));
      const pattern = new vscode.RelativePattern(folder, include);
      files.push(...(await vscode.workspace.findFiles(pattern, exclude, MAX_FILES - files.length, cancellation.token)));
      if (files.length >= MAX_FILES) break;
    }
    return files;
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

/** Empty for what is not a text file of bounded size, and for one that is gone. */
async function readText(file: string): Promise<string> {
  let handle;
  try {
    // Opening a pipe must not block.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) return '';
    const content = await handle.readFile();
    return content.subarray(0, PROBE_BYTES).includes(0) ? '' : content.toString('utf8');
  } catch {
    return '';
  } finally {
    await handle?.close();
  }
}
