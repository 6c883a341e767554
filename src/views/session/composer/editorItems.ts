/* eslint-disable texts/translated -- for the model, titles too */
/** What the user takes from the editor, as a text that goes along with a message: any agent can read it, also of what is not saved. */
import type { ContextItem } from './contextItems.ts';
import { oneLine } from '../../text/oneLine.ts';

const PROVIDER = 'the editor';

export interface Lines {
  /** From the folder of the session, where the file is in it. */
  path: string;
  /** Counted from 1; both belong to it. */
  from: number;
  to: number;
  text: string;
}

export function selectionItem({ path, from, to, text }: Lines): ContextItem {
  return {
    provider: PROVIDER,
    title: titleOf(path, from, to),
    text: `${linesText(from, to)} of ${path}, selected in the editor:\n\n${text}`,
  };
}

function titleOf(path: string, from: number, to: number): string {
  return `${oneLine(path.slice(path.lastIndexOf('/') + 1))}:${from === to ? from : `${from}-${to}`}`;
}

function linesText(from: number, to: number): string {
  return from === to ? `Line ${from}` : `Lines ${from} to ${to}`;
}

export function symbolItem(name: string, { path, from, to, text }: Lines): ContextItem {
  return {
    provider: PROVIDER,
    title: `${oneLine(name)} in ${titleOf(path, from, to)}`,
    text: `${linesText(from, to)} of ${path}, with “${oneLine(name)}”:\n\n${text}`,
  };
}

export interface Problem {
  /** Counted from 1. */
  line: number;
  column: number;
  /** For example “error”. */
  severity: string;
  message: string;
  /** For example “ts 2304”. */
  source: string;
}

const MAX_PROBLEMS = 100;
const MAX_MESSAGE = 500;

/** `isTwin`: the agent works with another copy of the file. */
export function problemsItem(path: string, problems: readonly Problem[], isTwin: boolean): ContextItem {
  const lines = problems
    .slice(0, MAX_PROBLEMS)
    .map(
      ({ line, column, severity, message, source }) =>
        `${line}:${column} ${severity}: ${oneLine(message, MAX_MESSAGE)}${source && ` (${source})`}`,
    );
  const more = problems.length - lines.length;
  return {
    provider: PROVIDER,
    title: `Problems in ${oneLine(path.slice(path.lastIndexOf('/') + 1))}`,
    text: `Problems that the editor reports in ${path}${isTwin ? ', in the user’s own checkout of it' : ''} (line:column):\n\n${lines.join('\n')}${more > 0 ? `\n… and ${more} more` : ''}`,
  };
}

export function terminalItem(terminal: string, text: string): ContextItem {
  const name = oneLine(terminal);
  return { provider: PROVIDER, title: `Terminal ${name}`, text: `Selected in the user’s terminal “${name}”:\n\n${text}` };
}

/** `limit`: in characters. What is longer is cut, and says so. */
export function changesItem(folder: string, diff: string, limit: number): ContextItem {
  const name = oneLine(folder.slice(folder.lastIndexOf('/') + 1));
  const about = `Uncommitted changes in ${folder}. New files that Git does not track are not among them.`;
  const cut = '\n… The rest was cut.';
  const room = Math.max(0, limit - about.length - cut.length - 2);
  const text = diff.length <= room ? diff : `${diff.slice(0, room).replace(/[\ud800-\udbff]$/, '')}${cut}`;
  return { provider: 'Git', title: `Changes in ${name}${text === diff ? '' : ' (cut)'}`, text: `${about}\n\n${text}` };
}

/** A file of this computer for a host that has it not. */
export function fileItem(name: string, text: string): ContextItem {
  const called = oneLine(name);
  return { provider: 'this computer', title: called, text: `The file “${called}” of the user’s own computer:\n\n${text}` };
}
