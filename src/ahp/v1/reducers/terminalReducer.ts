import { isRecord } from '../../../base/isRecord.ts';
import type { TerminalAction, TerminalCommandPart, TerminalContentPart, TerminalState } from '../terminal.ts';
import { createReducer, isAbsent, listOf, omitAbsent, setField, textOf } from './reducer.ts';

/** Reduces a terminal. */
export const terminalReducer = createReducer<TerminalState, TerminalAction>((draft, action) => {
  switch (action.type) {
    case 'terminal/data':
      if (typeof action.data === 'string') draft.content = withOutput(contentOf(draft), action.data);
      break;
    case 'terminal/resized':
      if (typeof action.cols === 'number') setField(draft, 'cols', action.cols);
      if (typeof action.rows === 'number') setField(draft, 'rows', action.rows);
      break;
    case 'terminal/claimed':
      if (isRecord(action.claim)) setField(draft, 'claim', action.claim);
      break;
    case 'terminal/titleChanged':
      if (typeof action.title === 'string') setField(draft, 'title', action.title);
      break;
    case 'terminal/cwdChanged':
      if (typeof action.cwd === 'string') setField(draft, 'cwd', action.cwd);
      break;
    case 'terminal/exited':
      if (isAbsent(action.exitCode) || typeof action.exitCode === 'number') setField(draft, 'exitCode', action.exitCode);
      break;
    case 'terminal/cleared':
      setField(draft, 'content', []);
      break;
    case 'terminal/commandDetectionAvailable':
      setField(draft, 'supportsCommandDetection', true);
      break;
    case 'terminal/commandExecuted': {
      const { commandId, commandLine, timestamp } = action;
      if (typeof commandId !== 'string') break;
      draft.content = [...contentOf(draft), { type: 'command', commandId, commandLine, output: '', timestamp, isComplete: false }];
      setField(draft, 'supportsCommandDetection', true);
      break;
    }
    case 'terminal/commandFinished': {
      const content = contentOf(draft);
      const { exitCode, durationMs } = action;
      // Every command of that id, also a complete one. An absent value removes the earlier one.
      setField(
        draft,
        'content',
        content.map((part) =>
          isCommand(part) && part.commandId === action.commandId ? omitAbsent({ ...part, isComplete: true, exitCode, durationMs }) : part,
        ),
      );
      break;
    }
    default: // `terminal/input` too: keystrokes show in the output of the pty
  }
});

function contentOf(draft: TerminalState): readonly TerminalContentPart[] {
  return listOf(draft.content);
}

function isCommand(part: TerminalContentPart | undefined): part is TerminalCommandPart {
  return isRecord(part) && part.type === 'command';
}

function isRunningCommand(part: TerminalContentPart | undefined): part is TerminalCommandPart {
  return isCommand(part) && !part.isComplete;
}

/** Only the last part grows. The joined parts must give the stream, and hosts send late output of a command after its end. */
function withOutput(content: readonly TerminalContentPart[], data: string): TerminalContentPart[] {
  const last = content.at(-1);
  if (data === '' && (isRunningCommand(last) || last?.type === 'unclassified')) return content as TerminalContentPart[];
  if (isRunningCommand(last)) return content.with(-1, { ...last, output: textOf(last.output) + data });
  if (isRecord(last) && last.type === 'unclassified') return content.with(-1, { ...last, value: textOf(last.value) + data });
  return [...content, { type: 'unclassified', value: data }];
}
