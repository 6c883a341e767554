/** The names of the engine's tools, and the texts for their calls. */
import { isAbsolute, relative, sep } from 'node:path';
import { isRecord } from '../../../../base/isRecord.ts';
import type { StringOrMarkdown } from '../../../../ahp/common/shapes.ts';
import { code } from '../../markdown.ts';

export interface ToolTexts {
  displayName: string;
  /** `_meta.toolKind`: by this views choose an icon and how to show the input. */
  kind?: Kind;
  /** While the call is running. */
  present: StringOrMarkdown;
  /** After the call. */
  past: StringOrMarkdown;
  /** The input as the user sees it. */
  input: string;
}

type Kind = 'terminal' | 'typing' | 'read' | 'edit' | 'search' | 'fetch' | 'subagent';

/** For these kinds the input is this argument, because a shell or a program gets it unchanged. For all others it is JSON. */
const plainInput: Readonly<Partial<Record<Kind, string>>> = { terminal: 'command', typing: 'input' };

interface Wording {
  displayName: string;
  present: string;
  past: string;
  /** The argument that names the subject of the call. */
  subject?: string;
  kind?: Kind;
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
    [`write_${shell}`]: { displayName: 'Type', present: 'Typing into shell', past: 'Typed into shell', subject: 'shellId', kind: 'typing' },
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
  addComment: { displayName: 'Comment', present: 'Commenting on', past: 'Commented on', subject: 'path' },
  listComments: { displayName: 'Read comments', present: 'Reading comments', past: 'Read comments' },
  replyToComment: { displayName: 'Answer comment', present: 'Answering a comment', past: 'Answered a comment' },
  resolveComments: { displayName: 'Resolve comments', present: 'Resolving comments', past: 'Resolved comments' },
  sql: { displayName: 'Notes', present: 'Working on its notes', past: 'Worked on its notes' },
};

function wordingOf(name: string): Wording | undefined {
  return Object.hasOwn(wordings, name) ? wordings[name] : undefined;
}

/** The engine never asks permission for these tools. For all others a call is shown as running once its permission is settled. */
export function runsUnasked(name: string): boolean {
  return /^(ask_user|task|sql|(add|list|resolve)Comments?|replyToComment|(read|stop|list)_(bash|powershell)|(read|list)_agents?)$/.test(
    name,
  );
}

/** `isLent`: a tool of a client. It may have the name of one of the engine's tools, with another meaning. */
export function toolTexts(name: string, args: unknown, workingDirectory: string, title?: string, isLent = false): ToolTexts {
  const wording = isLent ? undefined : wordingOf(name);
  const values = isRecord(args) ? args : {};
  const subject = wording?.subject === undefined ? undefined : values[wording.subject];
  const about = typeof subject === 'string' ? (wording?.subject === 'path' ? shownPath(subject, workingDirectory) : subject) : undefined;
  const plain = wording?.kind && plainInput[wording.kind];
  const input = plain === undefined ? args : (values[plain] ?? args);
  const phrase = (verb: string): StringOrMarkdown => (about === undefined ? verb : { markdown: `${verb} ${code(about)}` });
  return {
    displayName: title ?? wording?.displayName ?? name,
    ...(wording?.kind && { kind: wording.kind }),
    present: wording ? phrase(wording.present) : { markdown: `Calling ${code(name)}` },
    past: wording ? phrase(wording.past) : { markdown: `Called ${code(name)}` },
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}, undefined, 2),
  };
}

/** Relative to the working directory where it is below it. */
export function shownPath(path: string, workingDirectory: string): string {
  const below = relative(workingDirectory, path);
  return isAbsolute(path) && below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below) ? below : path;
}
