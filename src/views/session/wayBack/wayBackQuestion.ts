/** What the user is asked before turns go: how many, what becomes of the files that they changed, and what cannot be undone. */
import * as l10n from '../../../base/l10n.ts';
import type { ActiveTurn, Turn } from '../../../ahp/channels/chat/state.ts';
import { oneLine } from '../../text/oneLine.ts';
import { messageView } from '../transcript/messageView.ts';
import { commandsOf, otherCallsOf, type WayBack, type WayBackKind } from './wayBack.ts';

/** Paths of files that the turns changed. */
export interface ChangedPaths {
  /** The host offers to undo these changes. */
  readonly undoable: readonly string[];
  /** It does not. */
  readonly kept: readonly string[];
  /** What some turns changed could not be found out. */
  readonly isUnknown?: boolean;
}

/** What subagents of the turns did. */
export interface SubagentWork {
  /** Of their chats. */
  readonly turns: readonly (Turn | ActiveTurn)[];
  /** Some chats could not be read. */
  readonly isUnknown: boolean;
}

/** `undo`: the files, too. `keep`: the turns go, and the files stay. */
export type WayBackChoice = 'nothing' | 'keep' | 'undo';

export interface WayBackQuestion {
  readonly question: string;
  readonly detail: string;
  /** Enter takes the first, so that it changes nothing: the question may come when the user does not look. */
  readonly answers: readonly { readonly label: string; readonly choice: WayBackChoice }[];
}

const MAX_LISTED = 10;
/** In characters. */
const MAX_WORDS = 60;

interface KindWords {
  question(message: string): string;
  yes: string;
  although: string;
  anyway: string;
}

const WORDS: Readonly<Record<WayBackKind, KindWords>> = {
  back: {
    question: (message) => l10n.t`Go back to before “${message}”?`,
    yes: l10n.t('Go Back'),
    although: l10n.t('Go back although not everything was undone?'),
    anyway: l10n.t('Go Back Anyway'),
  },
  edit: {
    question: (message) => l10n.t`Send the edited message in place of “${message}”?`,
    yes: l10n.t('Send'),
    although: l10n.t('Send the edited message although not everything was undone?'),
    anyway: l10n.t('Send Anyway'),
  },
  retry: {
    question: (message) => l10n.t`Try again from “${message}”?`,
    yes: l10n.t('Try Again'),
    although: l10n.t('Try again although not everything was undone?'),
    anyway: l10n.t('Try Again Anyway'),
  },
};

/** `later`: turns after the first. */
function goesText(later: number): string {
  if (later === 0) return l10n.t('This turn goes for good.');
  return l10n.plural(
    later,
    l10n.t('This turn and the one after it go for good.'),
    l10n.t`This turn and the ${l10n.countText(later)} after it go for good.`,
  );
}

interface DeedWords {
  changed(files: number): string;
  /** Files that the host does not offer to undo. */
  stays(files: number): string;
  ran(commands: number): string;
  made(calls: number): string;
}

/** Of one turn. */
const IT: DeedWords = {
  changed: (files) =>
    l10n.plural(files, l10n.t`It changed ${l10n.countText(files)} file:`, l10n.t`It changed ${l10n.countText(files)} files:`),
  stays: (files) =>
    l10n.plural(
      files,
      l10n.t`It changed ${l10n.countText(files)} file which the host does not offer to undo, so they stay as they are:`,
      l10n.t`It changed ${l10n.countText(files)} files which the host does not offer to undo, so they stay as they are:`,
    ),
  ran: (commands) =>
    l10n.plural(
      commands,
      l10n.t`It ran ${l10n.countText(commands)} command. What commands did cannot be undone:`,
      l10n.t`It ran ${l10n.countText(commands)} commands. What commands did cannot be undone:`,
    ),
  made: (calls) =>
    l10n.plural(
      calls,
      l10n.t`It made ${l10n.countText(calls)} other call. What other calls did cannot be undone:`,
      l10n.t`It made ${l10n.countText(calls)} other calls. What other calls did cannot be undone:`,
    ),
};

const THEY: DeedWords = {
  changed: (files) =>
    l10n.plural(files, l10n.t`They changed ${l10n.countText(files)} file:`, l10n.t`They changed ${l10n.countText(files)} files:`),
  stays: (files) =>
    l10n.plural(
      files,
      l10n.t`They changed ${l10n.countText(files)} file which the host does not offer to undo, so they stay as they are:`,
      l10n.t`They changed ${l10n.countText(files)} files which the host does not offer to undo, so they stay as they are:`,
    ),
  ran: (commands) =>
    l10n.plural(
      commands,
      l10n.t`They ran ${l10n.countText(commands)} command. What commands did cannot be undone:`,
      l10n.t`They ran ${l10n.countText(commands)} commands. What commands did cannot be undone:`,
    ),
  made: (calls) =>
    l10n.plural(
      calls,
      l10n.t`They made ${l10n.countText(calls)} other call. What other calls did cannot be undone:`,
      l10n.t`They made ${l10n.countText(calls)} other calls. What other calls did cannot be undone:`,
    ),
};

function undoText(files: number): string {
  return l10n.plural(
    files,
    l10n.t`Undo the Changes of ${l10n.countText(files)} File Too`,
    l10n.t`Undo the Changes of ${l10n.countText(files)} Files Too`,
  );
}

/** Undefined where a message is sent again and nothing is lost but an answer of the last turn, so that nobody has to be asked. */
export function wayBackQuestion(
  way: WayBack,
  { undoable, kept, isUnknown = false }: ChangedPaths,
  subagents: SubagentWork,
): WayBackQuestion | undefined {
  const { turns, isRunning, kind } = way;
  const all = [...turns, ...subagents.turns];
  const commands = commandsOf(all);
  const others = otherCallsOf(all);
  const isLost = isRunning || isUnknown || subagents.isUnknown || undoable.length + kept.length + commands.length + others.length > 0;
  if (kind !== 'back' && turns.length === 1 && !isLost) return undefined;
  const { question, yes } = WORDS[kind];
  const words = turns[0] ? oneLine(messageView(turns[0].message).words, MAX_WORDS) : '';
  const later = turns.length - 1;
  const { changed, stays, ran, made } = later > 0 ? THEY : IT;
  const paragraphs = [
    l10n.sentencesText([goesText(later), ...(isRunning ? [l10n.t('The turn that runs is stopped.')] : [])]),
    listed(undoable, changed(undoable.length)),
    listed(kept, stays(kept.length)),
    isUnknown ? l10n.t('What changed in files could not be found out, so what is not named here stays as it is.') : undefined,
    listed(commands, ran(commands.length)),
    listed([...new Set(others)], made(others.length)),
    subagents.isUnknown ? l10n.t('What subagents ran could not be found out. It cannot be undone.') : undefined,
  ];
  return {
    question: question(words || l10n.t('a message without words')),
    detail: paragraphs.filter((one) => one !== undefined).join('\n\n'),
    answers: [
      { label: l10n.t('Change Nothing'), choice: 'nothing' },
      ...(undoable.length > 0
        ? ([
            { label: undoable.length === 1 ? l10n.t('Keep the File') : l10n.t('Keep the Files'), choice: 'keep' },
            { label: undoText(undoable.length), choice: 'undo' },
          ] as const)
        : ([{ label: yes, choice: 'keep' }] as const)),
    ],
  };
}

/** After the host could not undo everything. `said`: by the host, one for each turn. */
export function goOnQuestion(kind: WayBackKind, said: readonly string[]): { question: string; detail: string; yes: string; no: string } {
  const { although, anyway } = WORDS[kind];
  return {
    question: although,
    detail: [...[...new Set(said)].slice(0, MAX_LISTED), l10n.t('What was undone so far stays undone.')].join('\n\n'),
    yes: anyway,
    no: l10n.t('Stop Here'),
  };
}

function listed(lines: readonly string[], head: string): string | undefined {
  if (lines.length === 0) return undefined;
  const more = lines.length - MAX_LISTED;
  return [
    head,
    ...lines.slice(0, MAX_LISTED).map((line) => `• ${line}`),
    ...(more > 0 ? [l10n.t`and ${l10n.countText(more)} more`] : []),
  ].join('\n');
}
