/** What the user is asked before turns go: how many, what becomes of the files that they changed, and what cannot be undone. */
import { counted } from '../../text/counted.ts';
import { oneLine } from '../../text/oneLine.ts';
import { messageView } from '../transcript/messageView.ts';
import { commandsOf, type WayBack, type WayBackKind } from './wayBack.ts';

/** Paths of files that the turns changed. */
export interface ChangedPaths {
  /** The host offers to undo these changes. */
  readonly undoable: readonly string[];
  /** It does not. */
  readonly kept: readonly string[];
  /** What some turns changed could not be found out. */
  readonly isUnknown?: boolean;
}

export interface WayBackQuestion {
  readonly question: string;
  readonly detail: string;
  /** Best first. Enter takes the first. */
  readonly answers: readonly { readonly label: string; readonly undo: boolean }[];
}

const MAX_LISTED = 10;
/** In characters. */
const MAX_WORDS = 60;

const WORDS: Readonly<Record<WayBackKind, { question: string; yes: string }>> = {
  back: { question: 'Go back to before', yes: 'Go Back' },
  edit: { question: 'Send the edited message in place of', yes: 'Send' },
  retry: { question: 'Try again from', yes: 'Try Again' },
};

/** Undefined where nothing is lost but an answer of the last turn, so that nobody has to be asked. */
export function wayBackQuestion(way: WayBack, { undoable, kept, isUnknown = false }: ChangedPaths): WayBackQuestion | undefined {
  const { turns, isRunning, kind } = way;
  const commands = commandsOf(turns);
  if (turns.length === 1 && !isRunning && !isUnknown && undoable.length + kept.length + commands.length === 0) return undefined;
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
  ];
  return {
    question: `${question} “${words || 'a message without words'}”?`,
    detail: paragraphs.filter((one) => one !== undefined).join('\n\n'),
    answers:
      undoable.length > 0
        ? [
            { label: `Undo the Changes of ${counted(undoable.length, 'File')} Too`, undo: true },
            { label: undoable.length === 1 ? 'Keep the File' : 'Keep the Files', undo: false },
          ]
        : [{ label: yes, undo: false }],
  };
}

/** After the host could not undo everything. `said`: by the host, one for each turn. */
export function goOnQuestion(said: readonly string[]): { question: string; detail: string; yes: string } {
  return {
    question: 'Go back although not everything was undone?',
    detail: [...said.slice(0, MAX_LISTED), 'What was undone so far stays undone.'].join('\n\n'),
    yes: 'Go Back Anyway',
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
