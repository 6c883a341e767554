/** The output of commands in the window's terminals, as far as VS Code's shell integration reports it. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import { TailBuffer } from '../../../base/text/tailBuffer.ts';
import { plainTerminalText } from '../../../base/text/plainTerminalText.ts';
import { ToolError } from '../../../tap/provider/providerErrors.ts';
import { cutText } from './cutAnswer.ts';

/** In characters, of each command. */
const OUTPUT_LENGTH = 40_000;
const COMMAND_LENGTH = 2_000;
/** Of each terminal. */
export const MAX_COMMANDS = 5;
/** The mark of the shell integration with which the output of a command begins. */
const OUTPUT_BEGINS = /\u001b\]\d+;C/;
/** When a command and its output arrive together, VS Code reports the command after the output has gone by. */
const NOT_WHOLE =
  'VS Code has not reported all of the output, as happens with commands that end at once. Run the command again to be sure.';

/** VS Code has these since 1.93, which is newer than the API that we compile against. */
interface ShellExecution {
  readonly commandLine: { readonly value: string };
  read(): AsyncIterable<string>;
}
interface ShellExecutionEvent {
  readonly terminal: vscode.Terminal;
  readonly execution: ShellExecution;
}
const { onDidStartTerminalShellExecution: onDidStart, onDidEndTerminalShellExecution: onDidEnd } = vscode.window as {
  onDidStartTerminalShellExecution?: vscode.Event<ShellExecutionEvent>;
  onDidEndTerminalShellExecution?: vscode.Event<ShellExecutionEvent & { readonly exitCode: number | undefined }>;
};

interface Command {
  readonly execution: ShellExecution;
  readonly output: TailBuffer;
  /** Set once it has ended. */
  end?: { readonly exitCode: number | undefined };
  /** Whether VS Code has reported the output from its beginning. Undefined: it has reported nothing yet. */
  isWhole?: boolean;
  /** Its output may arrive after its end. */
  isRead: boolean;
}

export class TerminalOutputs implements Disposable {
  readonly #store = new DisposableStore();
  readonly #commands = new Map<vscode.Terminal, Command[]>();

  constructor() {
    if (onDidStart) this.#store.add(onDidStart((event) => void this.#follow(event)));
    if (onDidEnd) this.#store.add(onDidEnd((event) => this.#ended(event)));
    this.#store.add(vscode.window.onDidCloseTerminal((terminal) => this.#commands.delete(terminal)));
  }

  /** Of the terminal of that name, or the active one: its last commands, for an agent. Throws a {@link ToolError} when there is none. */
  answer(name: string | undefined, count: number): unknown {
    const { activeTerminal, terminals } = vscode.window;
    const terminal = name === undefined ? activeTerminal : terminals.find((other) => other.name === name);
    const names = terminals.map((other) => other.name);
    if (!terminal) {
      if (name === undefined) return { note: 'No terminal is open in this window.' };
      throw new ToolError('NOT_FOUND', `There is no terminal of that name. Open are: ${cutText(names.join(', '), 1000) || 'none'}`);
    }
    const commands = this.#commands.get(terminal) ?? [];
    return {
      terminal: terminal.name,
      commands: commands.slice(-count).map(({ execution, output, end, isRead, isWhole }) => ({
        command: cutText(execution.commandLine.value, COMMAND_LENGTH),
        ...(end && isRead ? { exitCode: end.exitCode ?? 'unknown' } : { isRunning: true }),
        output: plainTerminalText(output.text).trim(),
        ...(end && isRead && !isWhole && { note: NOT_WHOLE }),
      })),
      ...(commands.length === 0 && { note: 'No command is known: none was run, or its shell has no shell integration.' }),
      ...(names.length > 1 && { otherTerminals: names.filter((other) => other !== terminal.name) }),
    };
  }

  dispose(): void {
    this.#store.dispose();
    this.#commands.clear();
  }

  async #follow({ terminal, execution }: ShellExecutionEvent): Promise<void> {
    // Hidden terminals belong to extensions, not to the user.
    if ('hideFromUser' in terminal.creationOptions && terminal.creationOptions.hideFromUser) return;
    const command: Command = { execution, output: new TailBuffer(OUTPUT_LENGTH), isRead: false };
    this.#commands.set(terminal, [...(this.#commands.get(terminal) ?? []), command].slice(-MAX_COMMANDS));
    for await (const data of execution.read()) {
      if (this.#store.isDisposed) return;
      command.isWhole ??= OUTPUT_BEGINS.test(data);
      command.output.push(data);
    }
    command.isRead = true;
  }

  #ended({ terminal, execution, exitCode }: ShellExecutionEvent & { exitCode: number | undefined }): void {
    const command = this.#commands.get(terminal)?.find((other) => other.execution === execution);
    if (command) command.end = { exitCode };
  }
}
