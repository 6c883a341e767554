/** The names of the engine's tools, and the texts for their calls. */
import { isAbsolute, relative, sep } from 'node:path';
import { isRecord } from '../../../../base/isRecord.ts';
import type { StringOrMarkdown } from '../../../../ahp/common/shapes.ts';
import * as l10n from '../../../../base/l10n.ts';
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
  /** `about`: the subject in Markdown, empty where there is none. It ends the sentence in English, and in other languages where they can. */
  present: (about: string) => string;
  past: (about: string) => string;
  /** The argument that names the subject of the call. */
  subject?: string;
  kind?: Kind;
}

function shellWordings(shell: string): Record<string, Wording> {
  return {
    [shell]: {
      displayName: l10n.t('Run command'),
      present: (about) => l10n.t`Running ${about}`,
      past: (about) => l10n.t`Ran ${about}`,
      subject: 'command',
      kind: 'terminal',
    },
    [`read_${shell}`]: {
      displayName: l10n.t('Read output'),
      present: (about) => l10n.t`Reading the output of shell ${about}`,
      past: (about) => l10n.t`Read the output of shell ${about}`,
      subject: 'shellId',
    },
    [`write_${shell}`]: {
      displayName: l10n.t({ message: 'Type', comment: 'a verb' }),
      present: (about) => l10n.t`Typing into shell ${about}`,
      past: (about) => l10n.t`Typed into shell ${about}`,
      subject: 'shellId',
      kind: 'typing',
    },
    [`stop_${shell}`]: {
      displayName: l10n.t('Stop command'),
      present: (about) => l10n.t`Stopping shell ${about}`,
      past: (about) => l10n.t`Stopped shell ${about}`,
      subject: 'shellId',
    },
    [`list_${shell}`]: {
      displayName: l10n.t('List commands'),
      present: () => l10n.t('Listing its commands'),
      past: () => l10n.t('Listed its commands'),
    },
  };
}

const wordings: Readonly<Record<string, Wording>> = {
  ...shellWordings('bash'),
  ...shellWordings('powershell'),
  view: {
    displayName: l10n.t({ message: 'Read', comment: 'a file' }),
    present: (about) => l10n.t`Reading ${about}`,
    past: (about) => l10n.t`Read ${about}`,
    subject: 'path',
    kind: 'read',
  },
  edit: {
    displayName: l10n.t('Edit file'),
    present: (about) => l10n.t`Editing ${about}`,
    past: (about) => l10n.t`Edited ${about}`,
    subject: 'path',
    kind: 'edit',
  },
  create: {
    displayName: l10n.t('Create file'),
    present: (about) => l10n.t`Creating ${about}`,
    past: (about) => l10n.t`Created ${about}`,
    subject: 'path',
    kind: 'edit',
  },
  apply_patch: {
    displayName: l10n.t('Apply patch'),
    present: () => l10n.t('Applying a patch'),
    past: () => l10n.t('Applied a patch'),
    kind: 'edit',
  },
  grep: {
    displayName: l10n.t({ message: 'Search', comment: 'a verb' }),
    present: (about) => l10n.t`Searching for ${about}`,
    past: (about) => l10n.t`Searched for ${about}`,
    subject: 'pattern',
    kind: 'search',
  },
  glob: {
    displayName: l10n.t('Find files'),
    present: (about) => l10n.t`Looking for files ${about}`,
    past: (about) => l10n.t`Looked for files ${about}`,
    subject: 'pattern',
    kind: 'search',
  },
  web_fetch: {
    displayName: l10n.t('Fetch page'),
    present: (about) => l10n.t`Fetching ${about}`,
    past: (about) => l10n.t`Fetched ${about}`,
    subject: 'url',
    kind: 'fetch',
  },
  task: {
    displayName: l10n.t('Subagent'),
    present: (about) => l10n.t`Delegating ${about}`,
    past: (about) => l10n.t`Delegated ${about}`,
    subject: 'description',
    kind: 'subagent',
  },
  ask_user: {
    displayName: l10n.t({ message: 'Ask', comment: 'a verb' }),
    present: () => l10n.t('Asking you'),
    past: () => l10n.t('Asked you'),
  },
  addComment: {
    displayName: l10n.t({ message: 'Comment', comment: 'a verb' }),
    present: (about) => l10n.t`Commenting on ${about}`,
    past: (about) => l10n.t`Commented on ${about}`,
    subject: 'path',
  },
  listComments: {
    displayName: l10n.t('Read comments'),
    present: () => l10n.t('Reading comments'),
    past: () => l10n.t({ message: 'Read comments', comment: 'it has read them' }),
  },
  replyToComment: {
    displayName: l10n.t('Answer comment'),
    present: () => l10n.t('Answering a comment'),
    past: () => l10n.t('Answered a comment'),
  },
  resolveComments: {
    displayName: l10n.t('Resolve comments'),
    present: () => l10n.t('Resolving comments'),
    past: () => l10n.t('Resolved comments'),
  },
  sql: {
    displayName: l10n.t('Notes'),
    present: () => l10n.t('Working on its notes'),
    past: () => l10n.t('Worked on its notes'),
  },
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
  /** A sentence about something that is not known says the name of the tool, because in many languages it has no other end. */
  const sentence = (say: ((about: string) => string) | undefined, ofName: (name: string) => string): StringOrMarkdown => {
    if (!say || (wording?.subject !== undefined && about === undefined)) return { markdown: ofName(code(name)) };
    return about === undefined ? say('') : { markdown: say(code(about)) };
  };
  return {
    displayName: title ?? wording?.displayName ?? name,
    ...(wording?.kind && { kind: wording.kind }),
    present: sentence(wording?.present, (called) => l10n.t`Calling ${called}`),
    past: sentence(wording?.past, (called) => l10n.t`Called ${called}`),
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}, undefined, 2),
  };
}

/** Relative to the working directory where it is below it. */
export function shownPath(path: string, workingDirectory: string): string {
  const below = relative(workingDirectory, path);
  return isAbsolute(path) && below !== '' && below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below) ? below : path;
}
