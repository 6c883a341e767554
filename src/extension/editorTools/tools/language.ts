/** What the language servers of the window know. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { withTimeout } from '../../../base/errors.ts';
import { cutList } from '../shared/cutAnswer.ts';
import { type EditorTool, editorTool } from '../shared/editorTool.ts';
import type { WindowFolders } from '../shared/windowFolders.ts';
import { fileOf, rangeOf } from './fileAndRange.ts';

const MAX_PROBLEMS = 200;
const MAX_SYMBOLS = 100;
const MESSAGE_LENGTH = 1000;
const SYMBOLS_TIMEOUT_MS = 15_000;
const severities = ['error', 'warning', 'information', 'hint'] as const;

export function languageTools(folders: WindowFolders): EditorTool[] {
  return [
    editorTool({
      name: 'editor_problems',
      description:
        'The problems that VS Code shows for the files of this workspace, such as errors of compilers and linters, the worst first. They are as fresh as the language servers have them. Lines and columns begin with 1.',
      input: z.strictObject({
        path: z.string().min(1).max(4096).optional().describe('Only of this file: a full path, or one from the workspace folder.'),
        atLeast: z.enum(severities).default('information').describe('The mildest severity that is listed.'),
      }),
      isReadOnly: true,
      run: ({ path, atLeast }) => problems(folders, path, atLeast),
    }),
    editorTool({
      name: 'editor_find_symbols',
      description:
        'Searches the symbols of this workspace (classes, functions, variables) by name, through the language servers of VS Code. Some answer only once a file of their language is open.',
      input: z.strictObject({ query: z.string().min(1).max(200).describe('The name, or a part of it.') }),
      isReadOnly: true,
      run: ({ query }) => symbols(folders, query),
    }),
  ];
}

function problems(folders: WindowFolders, path: string | undefined, atLeast: (typeof severities)[number]): unknown {
  const all: [vscode.Uri, readonly vscode.Diagnostic[]][] =
    path === undefined ? vscode.languages.getDiagnostics() : [ofFile(vscode.Uri.file(folders.file(path)))];
  const found = all.flatMap(([uri, diagnostics]) => {
    const wanted = diagnostics.filter(({ severity }) => severity <= severities.indexOf(atLeast));
    const file = wanted.length > 0 ? fileOf(uri, folders) : undefined;
    return file === undefined ? [] : wanted.map((diagnostic) => ({ file, diagnostic }));
  });
  found.sort((a, b) => a.diagnostic.severity - b.diagnostic.severity);
  const { items, cut } = cutList(
    found.slice(0, MAX_PROBLEMS).map(({ file, diagnostic }) => ({
      file,
      ...rangeOf(diagnostic.range),
      severity: severities[diagnostic.severity],
      message: diagnostic.message.slice(0, MESSAGE_LENGTH),
      ...(diagnostic.source !== undefined && { source: diagnostic.source }),
    })),
    MAX_PROBLEMS,
    'problems',
    found.length,
  );
  return { problems: items, ...(cut !== undefined && { cut }) };
}

function ofFile(uri: vscode.Uri): [vscode.Uri, readonly vscode.Diagnostic[]] {
  return [uri, vscode.languages.getDiagnostics(uri)];
}

async function symbols(folders: WindowFolders, query: string): Promise<unknown> {
  const asked = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', query);
  const found = (await withTimeout(Promise.resolve(asked), SYMBOLS_TIMEOUT_MS, 'the search for symbols')) ?? [];
  const inside = found.flatMap(({ name, kind, containerName, location }) => {
    const file = fileOf(location.uri, folders);
    if (file === undefined) return [];
    const { startLine, startColumn } = rangeOf(location.range);
    return [
      { name, kind: vscode.SymbolKind[kind], ...(containerName && { in: containerName }), file, line: startLine, column: startColumn },
    ];
  });
  const { items, cut } = cutList(inside, MAX_SYMBOLS, 'symbols');
  return { symbols: items, ...(cut !== undefined && { cut }) };
}
