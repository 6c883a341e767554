/** Where the notices of a portal go: commands and web hooks that its user has named. One that fails is logged, and holds nothing up. */
import { homedir } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { englishOf, UserError } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import { ChildGroup } from '../base/process/childGroup.ts';
import { type Notice, type NoticeKind, noticeKinds } from '../portal/notices/notice.ts';

const COMMAND_MS = 60_000;
const WEBHOOK_MS = 10_000;
/** Notices that wait for the one before, of one target. More are dropped, the oldest first. */
const MAX_WAITING = 100;
const VARIABLE = 'TAPLINE_WEBHOOK';

export interface NoticeCommand {
  readonly on: NoticeKind;
  /** A line for the shell. */
  readonly command: string;
}

/** The pairs of `--on KIND COMMAND` in the arguments of the process. Returns the other arguments. Throws a {@link UserError}. */
export function takeCommands(args: readonly string[]): { commands: NoticeCommand[]; rest: string[] } {
  const commands: NoticeCommand[] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg !== '--on') {
      rest.push(arg);
      continue;
    }
    const [on, command] = [args[++at], args[++at]];
    const kind = noticeKinds.find((one) => one === on);
    if (!kind || command === undefined || command.trim() === '')
      throw new UserError(`--on must be followed by ${noticeKinds.join(', ')}, and by a command: --on failed 'notify-send Tapline'`);
    commands.push({ on: kind, command });
  }
  return { commands, rest };
}

/** The address of the variable, which agents must not inherit: whoever has it can write there. Throws a {@link UserError} that does not have it in it. */
export function takeWebhook(): URL | undefined {
  const given = process.env[VARIABLE];
  Reflect.deleteProperty(process.env, VARIABLE);
  if (given === undefined || given === '') return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (!url || (url.protocol !== 'https:' && !isLocal))
    throw new UserError(`${VARIABLE} must be an address that begins with https://, or with http:// on this computer`);
  // Requests with them are not made, and the error would have them in it.
  if (url.username !== '' || url.password !== '') throw new UserError(`${VARIABLE} must not have a name or a password in it`);
  return url;
}

export interface NoticeTargetsOptions {
  readonly commands: readonly NoticeCommand[];
  readonly webhook: URL | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
}

interface Target {
  readonly label: string;
  readonly takes: (notice: Notice) => boolean;
  readonly deliver: (notice: Notice, signal: AbortSignal) => Promise<void>;
  readonly waiting: Notice[];
  isBusy: boolean;
}

export class NoticeTargets implements Disposable {
  readonly #targets: readonly Target[];
  readonly #end = new AbortController();
  readonly #logger: Logger;

  constructor({ commands, webhook, logger, clock }: NoticeTargetsOptions) {
    this.#logger = logger;
    const target = (label: string, takes: Target['takes'], deliver: Target['deliver']): Target => ({
      ...{ label, takes, deliver, waiting: [], isBusy: false },
    });
    this.#targets = [
      ...commands.map(({ on, command }) =>
        target(
          `the command of --on ${on}`,
          (notice) => notice.on === on,
          (notice, signal) => runCommand(command, notice, clock, signal),
        ),
      ),
      // Its path is often the secret.
      ...(webhook
        ? [
            target(
              `the web hook at ${webhook.host}`,
              () => true,
              (notice, signal) => post(webhook, notice, signal),
            ),
          ]
        : []),
    ];
  }

  tell(notice: Notice): void {
    for (const target of this.#targets) {
      if (!target.takes(notice)) continue;
      target.waiting.push(notice);
      if (target.waiting.length > MAX_WAITING) {
        target.waiting.shift();
        this.#logger.warn(`${target.label} is too slow: a notice was dropped`);
      }
      void this.#work(target);
    }
  }

  /** Ends what runs. What waits is not delivered. */
  dispose(): void {
    this.#end.abort();
  }

  async #work(target: Target): Promise<void> {
    if (target.isBusy) return;
    target.isBusy = true;
    const { signal } = this.#end;
    for (let next; !signal.aborted && (next = target.waiting.shift());) {
      try {
        await target.deliver(next, signal);
      } catch (error) {
        this.#logger.warn(`${target.label} did not take “${next.text}”: ${englishOf(error)}`);
      }
    }
    target.isBusy = false;
  }
}

async function runCommand(command: string, notice: Notice, clock: Clock, signal: AbortSignal): Promise<void> {
  const env = { ...process.env, TAPLINE_NOTICE: notice.on, TAPLINE_TEXT: notice.text };
  const child = new ChildGroup({ command, isShellLine: true, args: [], cwd: homedir(), env, input: `${JSON.stringify(notice)}\n`, clock });
  // What it prints is nobody's.
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  let isLate = false;
  const timer = clock.setTimer(() => {
    isLate = true;
    child.stop();
  }, COMMAND_MS);
  const stop = () => child.stop();
  signal.addEventListener('abort', stop, { once: true });
  const end = await child.ended;
  signal.removeEventListener('abort', stop);
  timer.dispose();
  if (isLate) throw new Error(`it did not end within ${COMMAND_MS / 1000} s`);
  if (end.kind === 'notStarted' || end.code !== 0) throw new Error(end.problem);
}

async function post(url: URL, notice: Notice, end: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(WEBHOOK_MS);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(notice),
    redirect: 'error',
    signal: AbortSignal.any([end, late]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answered with status ${response.status}`);
}
