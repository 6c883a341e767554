/** What the user has typed: the command, its words and its flags. */
import { parseArgs } from 'node:util';
import { messageOf } from '../base/errors.ts';
import { CliError, exitCodes } from './cliError.ts';

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  ...{ url: text, token: text, data: text, json: flag, help: { ...flag, short: 'h' }, all: flag },
  ...{ folder: { ...text, default: '.' }, input: text, model: text, keep: flag, detach: flag, 'not-before': text },
  ...{ from: text, prompt: text, edit: text, 'loop-cap': text, follow: { ...flag, short: 'f' } },
  ...{ fail: list, unavailable: list },
  ...{ approve: text, deny: flag, option: text, reason: text, answers: text },
  ...{ diff: flag, yes: flag, branch: text, message: text, worktree: text, remote: text, into: text, title: text, body: text },
  'push-only': flag,
} as const;
type Flag = keyof typeof options;

const ofAll: readonly Flag[] = ['url', 'token', 'data', 'json', 'help'];
const ofStep: readonly Flag[] = ['from', 'input', 'prompt', 'edit', 'loop-cap', 'detach'];

/** `words`: how many it has, itself included. `flags`: also those for which the command has words of its own. */
const commands: Readonly<Record<string, { words: number; flags?: readonly Flag[] }>> = {
  ps: { words: 1, flags: ['all'] },
  tasks: { words: 1 },
  jobs: { words: 1 },
  run: { words: 2, flags: ['folder', 'input', 'model', 'keep', 'detach', 'not-before'] },
  job: { words: 2, flags: ['folder', 'input', 'detach', 'not-before'] },
  show: { words: 2 },
  logs: { words: 2, flags: ['follow'] },
  stop: { words: 2 },
  pause: { words: 2 },
  continue: { words: 2, flags: ofStep },
  retry: { words: 2, flags: ofStep },
  skip: { words: 3 },
  steer: { words: 4 },
  answer: { words: 2, flags: ['approve', 'deny', 'option', 'reason', 'answers'] },
  result: { words: 2, flags: ['diff'] },
  commit: { words: 2, flags: ['yes', 'branch', 'message', 'worktree'] },
  'pull-request': { words: 2, flags: ['yes', 'branch', 'remote', 'into', 'title', 'body', 'push-only'] },
  try: { words: 3, flags: ['folder', 'input', 'fail', 'unavailable', 'loop-cap'] },
  dev: { words: 2 },
};

/** Throws a `CliError` for what no command has, or not this one. A command that is not known is left to the caller. */
export function commandLine(args: string[]) {
  const { values, positionals, tokens } = parsed(args);
  const [command = ''] = positionals;
  const known = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!known || values.help) return { values, positionals };
  const extra = positionals[known.words];
  if (extra !== undefined) throw new CliError(exitCodes.usage, `“${extra}” is one argument too many.`);
  const own: readonly string[] = [...ofAll, ...(known.flags ?? [])];
  for (const token of tokens) {
    if (token.kind !== 'option' || own.includes(token.name)) continue;
    const others = Object.keys(commands).filter((name) => commands[name]?.flags?.some((one) => one === token.name));
    throw new CliError(
      exitCodes.usage,
      `“tapline ${command}” takes no --${token.name}. It is for: ${others.join(', ')}. Nothing was done.`,
    );
  }
  return { values, positionals };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new CliError(exitCodes.usage, messageOf(error));
  }
}
