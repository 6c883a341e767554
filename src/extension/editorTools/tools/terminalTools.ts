/** What commands in the window's terminals printed. */
import * as z from 'zod';
import { type EditorTool, editorTool } from '../shared/editorTool.ts';
import { MAX_COMMANDS, type TerminalOutputs } from '../shared/terminalOutputs.ts';

export function terminalTools(outputs: TerminalOutputs): EditorTool[] {
  return [
    editorTool({
      name: 'editor_terminal_output',
      description:
        'The last commands that the user ran in a terminal of this VS Code window, the newest last, with the end of what they printed. Knows commands of shells with shell integration, from the time when the window was loaded.',
      input: z.strictObject({
        terminal: z.string().min(1).max(200).optional().describe('The name of the terminal. Default: the active one.'),
        commands: z.number().int().min(1).max(MAX_COMMANDS).default(1).describe('How many of its last commands.'),
      }),
      // It changes nothing. But hosts may ask less about tools that are marked so, and what a terminal has printed may hold secrets.
      isReadOnly: false,
      run: ({ terminal, commands }) => outputs.answer(terminal, commands),
    }),
  ];
}
