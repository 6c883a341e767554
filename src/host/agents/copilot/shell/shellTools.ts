/**
 * The shell tools that the model gets instead of the engine's own. Those run inside the engine, where nobody can watch a command or type
 * into it. These run in terminals of the host. They have the names of the engine's tools, because its subagents and its instructions refer
 * to them.
 */
import type { Tool, ToolResultObject } from '@github/copilot-sdk';
import { isRecord } from '../../../../base/isRecord.ts';
import { requireCommandLine } from '../../../terminals/shellIntegration/shellLaunch.ts';
import { keyNames } from './shellText.ts';

const shell = process.platform === 'win32' ? 'powershell' : 'bash';
const names = { run: shell, read: `read_${shell}`, write: `write_${shell}`, stop: `stop_${shell}`, list: `list_${shell}` } as const;
type Verb = keyof typeof names;

/** What the tools are called. */
export const shellToolNames: readonly string[] = Object.values(names);

/** The request of a tool call. Times are in ms. */
export type ShellRequest =
  | { verb: 'run'; command: string; shellId: string | undefined; wait: number }
  | { verb: 'read'; shellId: string; wait: number }
  | { verb: 'write'; shellId: string; input: string; wait: number }
  | { verb: 'stop'; shellId: string }
  | { verb: 'list' };

const SYNC_WAIT_S = 30;
const ASYNC_WAIT_S = 1;
const WRITE_WAIT_S = 2;
const MAX_WAIT_S = 600;

/** The request, or undefined when the tool is none of these. Throws an error that tells the model what is wrong. */
export function shellRequest(toolName: string, args: unknown): ShellRequest | undefined {
  const verb = (Object.keys(names) as Verb[]).find((one) => names[one] === toolName);
  if (verb === undefined) return undefined;
  const values = isRecord(args) ? args : {};
  const text = (name: string): string => {
    const value = values[name];
    if (typeof value !== 'string' || value === '') throw new Error(`${toolName} needs ${name}, a string.`);
    return value;
  };
  const wait = (name: string, seconds: number): number => {
    const value = values[name];
    const asked = typeof value === 'number' && Number.isFinite(value) ? value : seconds;
    return Math.min(Math.max(asked, 0), MAX_WAIT_S) * 1000;
  };
  switch (verb) {
    case 'run': {
      const isAsync = values.mode === 'async';
      const command = text('command');
      requireCommandLine(command);
      return {
        verb,
        command,
        shellId: typeof values.shellId === 'string' && values.shellId !== '' ? values.shellId : undefined,
        wait: wait('initial_wait', isAsync ? ASYNC_WAIT_S : SYNC_WAIT_S),
      };
    }
    case 'read':
      return { verb, shellId: text('shellId'), wait: wait('delay', 0) };
    case 'write': {
      const input = text('input');
      if (/\p{Cs}/u.test(input)) throw new Error('Half a surrogate pair cannot be typed.');
      return { verb, shellId: text('shellId'), input, wait: wait('delay', WRITE_WAIT_S) };
    }
    case 'stop':
      return { verb, shellId: text('shellId') };
    case 'list':
      return { verb };
  }
}

/** The command that runs in a shell. Undefined when none does. */
export type CommandIn = (shellId: string) => string | undefined;

const text = (description: string) => ({ type: 'string', description });
const seconds = (description: string) => ({ type: 'number', description });
const SHELL_ID = text(`The shellId that ${names.run} gave.`);

const definitions: Readonly<Record<Verb, { description: string; properties: Record<string, object>; required: string[] }>> = {
  run: {
    description: [
      'Runs a command line with bash, in a terminal of its own that the user can watch and type into.',
      '* Every call begins in the working directory of the session. A changed directory, variables and functions are gone with the next call; chain commands that belong together with &&.',
      `* When the command ends within initial_wait seconds, you get its output and its exit code. Otherwise it goes on in the background and you get its output so far: ${names.read} gives you the rest, ${names.write} types into it, ${names.stop} ends it. You are told with a later tool result or message when it has ended.`,
      '* For servers, watchers and everything else that does not end by itself, use mode "async". Processes that a command leaves behind with & end together with it, so do not use &, nohup or setsid.',
      '* Nobody may be there to answer: use options that keep programs from asking. Pagers are off.',
      '* Long output is shortened in the middle; keep it small with options, head, tail or grep.',
      '* End processes by their number, never by name with pkill or killall.',
      '* Refuse command lines that hide what they do, for example in ${var@P}, ${!var}, or an eval of assembled text, and say why.',
    ].join('\n'),
    properties: {
      command: text('The command line.'),
      description: text('What the command does, in at most 100 characters.'),
      shellId: text('A name for this command, to be used with the other shell tools. One is given when it is absent.'),
      mode: {
        type: 'string',
        enum: ['sync', 'async'],
        description: '"sync" (default) waits for the end; "async" is for what does not end.',
      },
      initial_wait: seconds(
        `Seconds to wait for the end, at most ${MAX_WAIT_S}: ${SYNC_WAIT_S} by default (async: ${ASYNC_WAIT_S}). Give 120 and more to builds, tests and installations.`,
      ),
    },
    required: ['command', 'description'],
  },
  read: {
    description: `Returns what a command has printed since you last saw its output, and its exit code if it has ended. Waits up to delay seconds for its end first.`,
    properties: { shellId: SHELL_ID, delay: seconds(`Seconds to wait for the end, from 0 to ${MAX_WAIT_S}.`) },
    required: ['shellId', 'delay'],
  },
  write: {
    description: `Types into the terminal of a running command, and returns what it prints within delay seconds. The user is asked first.`,
    properties: {
      shellId: SHELL_ID,
      input: text(`What to type. A line needs {enter} at its end. Keys: ${keyNames.join(' ')}.`),
      delay: seconds(`Seconds to wait for output, ${WRITE_WAIT_S} by default.`),
    },
    required: ['shellId', 'input'],
  },
  stop: {
    description: 'Ends a command and everything that it started in its terminal.',
    properties: { shellId: SHELL_ID },
    required: ['shellId'],
  },
  list: {
    description: 'Lists the commands of this session that are still running, and those that have ended without your knowledge.',
    properties: {},
    required: [],
  },
};

/** `answer` carries out a call. It may be called more than once for the same call. */
export function shellTools(answer: (toolName: string, args: unknown, toolCallId: string) => Promise<ToolResultObject>): Tool[] {
  return (Object.keys(names) as Verb[]).map((verb) => {
    const { description, properties, required } = definitions[verb];
    return {
      name: names[verb],
      description,
      parameters: { type: 'object', properties, required },
      overridesBuiltInTool: true,
      // With many tools of clients, the model would have to search for these.
      defer: 'never',
      skipPermission: verb !== 'run' && verb !== 'write',
      handler: async (args: unknown, { toolCallId }) => await answer(names[verb], args, toolCallId),
    };
  });
}
