/** What the user is asked before turns go: how many, what becomes of the files that they changed, and what cannot be undone. */
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
  back: { question: 'Go back to before', yes: 'Go Back', although: 'Go back' },
  edit: { question: 'Send the edited message in place of', yes: 'Send', although: 'Send the edited message' },
  retry: { question: 'Try again from', yes: 'Try Again', although: 'Try again' },
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
    `${later > 0 ? `This turn and ${later === 1 ? 'the one' : `the ${later.toLocaleString('en')}`} after it go` : 'This turn goes'} for good.` +
      (isRunning ? ' The turn that runs is stopped.' : ''),
    listed(undoable, `${they} changed ${counted(undoable.length, 'file')}:`),
    listed(kept, `${they} changed ${counted(kept.length, 'file')} which the host does not offer to undo, so they stay as they are:`),
    isUnknown ? 'What changed in files could not be found out, so what is not named here stays as it is.' : undefined,
    listed(commands, `${they} ran ${counted(commands.length, 'command')}. What commands did cannot be undone:`),
    listed([...new Set(others)], `${they} made ${counted(others.length, 'other call')}. What other calls did cannot be undone:`),
    subagents.isUnknown ? 'What subagents ran could not be found out. It cannot be undone.' : undefined,
  ];
  return {
    question: `${question} “${words || 'a message without words'}”?`,
    detail: paragraphs.filter((one) => one !== undefined).join('\n\n'),
    answers: [
      { label: 'Change Nothing', choice: 'nothing' },
      ...(undoable.length > 0
        ? ([
            { label: undoable.length === 1 ? 'Keep the File' : 'Keep the Files', choice: 'keep' },
            { label: `Undo the Changes of ${counted(undoable.length, 'File')} Too`, choice: 'undo' },
          ] as const)
        : ([{ label: yes, choice: 'keep' }] as const)),
    ],
  };
}

/** After the host could not undo everything. `said`: by the host, one for each turn. */
export function goOnQuestion(kind: WayBackKind, said: readonly string[]): { question: string; detail: string; yes: string; no: string } {
  const { although, yes } = WORDS[kind];
  return {
    question: `${although} although not everything was undone?`,
    detail: [...[...new Set(said)].slice(0, MAX_LISTED), 'What was undone so far stays undone.'].join('\n\n'),
    yes: `${yes} Anyway`,
    no: 'Stop Here',
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
