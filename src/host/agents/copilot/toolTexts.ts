/** What the engine's tools are called and what their calls say they do. */
import { isAbsolute, relative, sep } from 'node:path';
import type { StringOrMarkdown } from '../../../ahp/v1/common.ts';
import { code } from '../markdown.ts';

export interface ToolTexts {
  displayName: string;
  /** While it runs. */
  present: StringOrMarkdown;
  /** When it is done. */
  past: StringOrMarkdown;
  /** The input as a person reads it. */
  input: string;
}

interface Wording {
  displayName: string;
  present: string;
  past: string;
  /** The argument that says what it is about. */
  subject?: string;
  /** What views choose a picture by (`_meta.toolKind`). */
  kind?: 'terminal' | 'read' | 'edit' | 'search' | 'fetch' | 'subagent';
}

function shellWordings(shell: string): Record<string, Wording> {
  return {
    [shell]: { displayName: 'Run command', present: 'Running', past: 'Ran', subject: 'command', kind: 'terminal' },
    [`read_${shell}`]: {
      displayName: 'Read output',
      present: 'Reading the output of shell',
      past: 'Read the output of shell',
      subject: 'shellId',
    },
    [`write_${shell}`]: { displayName: 'Type', present: 'Typing into shell', past: 'Typed into shell', subject: 'shellId' },
    [`stop_${shell}`]: { displayName: 'Stop command', present: 'Stopping shell', past: 'Stopped shell', subject: 'shellId' },
    [`list_${shell}`]: { displayName: 'List commands', present: 'Listing its commands', past: 'Listed its commands' },
  };
}

const wordings: Readonly<Record<string, Wording>> = {
  ...shellWordings('bash'),
  ...shellWordings('powershell'),
  view: { displayName: 'Read', present: 'Reading', past: 'Read', subject: 'path', kind: 'read' },
  edit: { displayName: 'Edit file', present: 'Editing', past: 'Edited', subject: 'path', kind: 'edit' },
  create: { displayName: 'Create file', present: 'Creating', past: 'Created', subject: 'path', kind: 'edit' },
  apply_patch: { displayName: 'Apply patch', present: 'Applying a patch', past: 'Applied a patch', kind: 'edit' },
  grep: { displayName: 'Search', present: 'Searching for', past: 'Searched for', subject: 'pattern', kind: 'search' },
  glob: { displayName: 'Find files', present: 'Looking for files', past: 'Looked for files', subject: 'pattern', kind: 'search' },
  web_fetch: { displayName: 'Fetch page', present: 'Fetching', past: 'Fetched', subject: 'url', kind: 'fetch' },
  task: { displayName: 'Subagent', present: 'Delegating', past: 'Delegated', subject: 'description', kind: 'subagent' },
  ask_user: { displayName: 'Ask', present: 'Asking you', past: 'Asked you' },
  sql: { displayName: 'Notes', present: 'Working on its notes', past: 'Worked on its notes' },
};

function wordingOf(name: string): Wording | undefined {
  return Object.hasOwn(wordings, name) ? wordings[name] : undefined;
}

/** Tools of which the engine never asks whether they may run. Of all others a call is shown as running when that is settled. */
export function runsUnasked(name: string): boolean {
  return /^(ask_user|task|sql|(read|stop|list)_(bash|powershell)|(read|list)_agents?)$/.test(name);
}

export function displayNameOf(name: string, title?: string): string {
  return title ?? wordingOf(name)?.displayName ?? name;
}

export function toolKindOf(name: string): Wording['kind'] {
  return wordingOf(name)?.kind;
}

export function toolTexts(name: string, args: unknown, workingDirectory: string, title?: string): ToolTexts {
  const wording = wordingOf(name);
  const values = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
  const subject = wording?.subject === undefined ? undefined : values[wording.subject];
  const about = typeof subject === 'string' ? (wording?.subject === 'path' ? shownPath(subject, workingDirectory) : subject) : undefined;
  const phrase = (verb: string): StringOrMarkdown => (about === undefined ? verb : { markdown: `${verb} ${code(about)}` });
  return {
    displayName: displayNameOf(name, title),
    present: wording ? phrase(wording.present) : { markdown: `Calling ${code(name)}` },
    past: wording ? phrase(wording.past) : { markdown: `Called ${code(name)}` },
    input:
      wording?.kind === 'terminal' && typeof values.command === 'string'
        ? values.command
        : typeof args === 'string'
          ? args
          : JSON.stringify(args ?? {}, undefined, 2),
  };
}

/** Relative where it is below the working directory. */
export function shownPath(path: string, workingDirectory: string): string {
  const below = relative(workingDirectory, path);
  return isAbsolute(path) && below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below) ? below : path;
}
