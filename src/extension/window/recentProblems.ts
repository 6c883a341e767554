/** The last warnings and errors of the log, for diagnostics: when, where and of which kind, and nothing of what they say, which is the user’s. */
import type * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import type { DiagnosedProblem } from '../../views/diagnostics/diagnosticsText.ts';
import type { CommandId } from '../commandTable.ts';

const KEPT = 20;

export class RecentProblems {
  /** The channel, of which it keeps the problems. */
  readonly log: vscode.LogOutputChannel;
  readonly #all: DiagnosedProblem[] = [];

  constructor(private readonly channel: vscode.LogOutputChannel) {
    const kept: Pick<vscode.LogOutputChannel, 'warn' | 'error'> = {
      warn: (message, ...args) => {
        this.#add(`warning${callerOf(kept.warn)}`);
        channel.warn(message, ...args);
      },
      error: (error, ...args) => {
        this.#add(error instanceof Error ? kindOf(error) : `error${callerOf(kept.error)}`);
        channel.error(error, ...args);
      },
    };
    // The channel is VS Code’s own object, which may be frozen and bound to itself.
    this.log = new Proxy({} as vscode.LogOutputChannel, {
      get: (_target, name) => {
        if (name === 'warn' || name === 'error') return kept[name];
        const value: unknown = Reflect.get(channel, name, channel);
        return typeof value === 'function' ? (value.bind(channel) as unknown) : value;
      },
    });
  }

  /** The newest last. */
  get all(): readonly DiagnosedProblem[] {
    return this.#all;
  }

  /** Logs it, and keeps which command it was. */
  commandFailed(id: CommandId, error: unknown): void {
    this.#add(`${id}: ${error instanceof Error ? kindOf(error) : 'error'}`);
    this.channel.error(error instanceof Error ? error : `${id}: ${messageOf(error)}`);
  }

  #add(kind: string): void {
    this.#all.push({ at: Date.now(), kind });
    if (this.#all.length > KEPT) this.#all.shift();
  }
}

const NAME = /^[A-Za-z]{1,40}$/;
const CODE = /^[A-Z_]{1,40}$/;
const PLACE = /^([\w-]{1,60}(?:\.\w{1,20}){1,3}:\d{1,9}:\d{1,9})\)?$/;
const HEADING = /^\w{1,40}(?: \[\w{1,60}\])?(?:: )?/;

/** Names and codes are words of programs. What looks otherwise may be a text. */
function kindOf(error: Error): string {
  const { code } = error as { code?: unknown };
  const name = NAME.test(error.name) ? error.name : 'Error';
  const withCode = (typeof code === 'string' && CODE.test(code)) || typeof code === 'number' ? `${name} ${code}` : name;
  return `${withCode}${placeIn(framesOf(error))}`;
}

/** The stack begins with the message, which may look like a frame. */
function framesOf({ stack = '', message }: Error): string {
  const [name = ''] = HEADING.exec(stack) ?? [];
  const frames = stack.slice(name.length + message.length);
  return stack.startsWith(message, name.length) && frames.startsWith('\n') ? frames : '';
}

function callerOf(logging: (...args: never[]) => void): string {
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, logging);
  return placeIn(here.stack ?? '');
}

/** The first frame: its file without the folder, which has the user’s name in it. */
function placeIn(frames: string): string {
  const first = frames.split('\n').find((line) => line.trimStart().startsWith('at ')) ?? '';
  const file = first.slice(Math.max(...['/', '\\', '(', ' '].map((sign) => first.lastIndexOf(sign))) + 1);
  const [, place] = PLACE.exec(file) ?? [];
  return place === undefined ? '' : ` at ${place}`;
}
