/** What the user is asked before turns go: how many, what becomes of the files that they changed, and what cannot be undone. */
import * as l10n from '@vscode/l10n';
import type { ActiveTurn, Turn } from '../../../ahp/channels/chat/state.ts';
import { counted } from '../../text/counted.ts';
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

const WORDS: Readonly<Record<WayBackKind, { question: string; yes: string; although: string }>> = {
  back: { question: l10n.t('Go back to before'), yes: l10n.t('Go Back'), although: l10n.t('Go back') },
  edit: { question: l10n.t('Send the edited message in place of'), yes: 'Send', although: l10n.t('Send the edited message') },
  retry: { question: l10n.t('Try again from'), yes: l10n.t('Try Again'), although: l10n.t('Try again') },
};

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
  const they = later > 0 ? 'They' : 'It';
  const paragraphs = [
    l10n.t`${later > 0 ? `This turn and ${later === 1 ? 'the one' : `the ${later.toLocaleString('en')}`} after it go` : 'This turn goes'} for good.` +
      (isRunning ? l10n.t(' The turn that runs is stopped.') : ''),
    listed(undoable, `${they} changed ${counted(undoable.length, 'file')}:`),
    listed(kept, l10n.t`${they} changed ${counted(kept.length, 'file')} which the host does not offer to undo, so they stay as they are:`),
    isUnknown ? l10n.t('What changed in files could not be found out, so what is not named here stays as it is.') : undefined,
    listed(commands, l10n.t`${they} ran ${counted(commands.length, 'command')}. What commands did cannot be undone:`),
    listed(
      [...new Set(others)],
      l10n.t`${they} made ${counted(others.length, l10n.t('other call'))}. What other calls did cannot be undone:`,
    ),
    subagents.isUnknown ? l10n.t('What subagents ran could not be found out. It cannot be undone.') : undefined,
  ];
  return {
    question: `${question} “${words || l10n.t('a message without words')}”?`,
    detail: paragraphs.filter((one) => one !== undefined).join('\n\n'),
    answers: [
      { label: l10n.t('Change Nothing'), choice: 'nothing' },
      ...(undoable.length > 0
        ? ([
            { label: undoable.length === 1 ? l10n.t('Keep the File') : l10n.t('Keep the Files'), choice: 'keep' },
            { label: l10n.t`Undo the Changes of ${counted(undoable.length, 'File')} Too`, choice: 'undo' },
          ] as const)
        : ([{ label: yes, choice: 'keep' }] as const)),
    ],
  };
}

/** After the host could not undo everything. `said`: by the host, one for each turn. */
export function goOnQuestion(kind: WayBackKind, said: readonly string[]): { question: string; detail: string; yes: string; no: string } {
  const { although, yes } = WORDS[kind];
  return {
    question: l10n.t`${although} although not everything was undone?`,
    detail: [...[...new Set(said)].slice(0, MAX_LISTED), 'What was undone so far stays undone.'].join('\n\n'),
    yes: `${yes} Anyway`,
    no: l10n.t('Stop Here'),
  };
}

function listed(lines: readonly string[], head: string): string | undefined {
  if (lines.length === 0) return undefined;
  const more = lines.length - MAX_LISTED;
  return [
    head,
    ...lines.slice(0, MAX_LISTED).map((line) => `• ${line}`),
    ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : []),
  ].join('\n');
}
