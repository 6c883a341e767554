/** `/loop INTERVAL what` of the composer: a command that is run, or a message that is sent, again and again. */
import * as l10n from '../../base/l10n.ts';
import { intervalMs } from '../../tap/wire/emitters/intervals.ts';
import type { NewEmitter } from './emitterRequest.ts';
import { failureRules } from './interruptions.ts';
import { everyText } from './scheduleWords.ts';

export const LOOP = '/loop';

export type Loop =
  | { kind: 'wrong'; problem: string }
  /** `says`: what Enter does. `other`: the line that does it as the other kind. */
  | { kind: 'command' | 'prompt'; text: string; emitter: NewEmitter; says: string; other: string };

const HOW = l10n.t`Write how often and what: “${LOOP} 5m check the deploy”, “${LOOP} 30s $ npm test”.`;

/** Programs whose names nobody begins a sentence with. */
const PROGRAMS = new Set(
  (
    'npm npx yarn pnpm bun deno node tsc git gh cargo rustc python python3 pip pytest uv poetry ruff mypy java mvn gradle dotnet docker ' +
    'podman kubectl helm terraform aws gcloud az curl wget grep rg sed awk ls cat tail journalctl systemctl ssh rsync bash sh zsh pwsh ' +
    'powershell cmd ruby rake bundle rspec php composer phpunit elixir mix swift xcodebuild cmake ctest ninja bazel eslint prettier jest ' +
    'vitest mocha playwright tox psql sqlite3 redis-cli nc dig nslookup df du ps free uptime'
  ).split(' '),
);
/** Programs that are English words, too. */
const ENGLISH = new Set('go make just find test watch head sort date time ping which rails echo sleep task'.split(' '));

/** Undefined where the text is none. */
export function loopOf(text: string): Loop | undefined {
  const [, rest] = /^\/loop(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  if (rest === undefined) return /^\/loop\s*$/.test(text) ? { kind: 'wrong', problem: HOW } : undefined;
  const [, often = '', what = ''] = /^(\S+)(?:\s+([^]*))?$/.exec(rest) ?? [];
  const intervals = often.split(',');
  if (often !== 'idle' && !intervals.every((word) => intervalMs(word) !== undefined))
    return { kind: 'wrong', problem: l10n.t`“${often}” is not how often. ${HOW}` };
  if (what.trim() === '') return { kind: 'wrong', problem: HOW };
  return read(often, intervals, what.trim());
}

function read(often: string, intervals: readonly string[], what: string): Loop {
  const [, marked] = /^\$\s*([^]+)$/.exec(what) ?? [];
  const [, quoted] = /^["“]([^]+)["”]$/.exec(what) ?? [];
  const isIdle = often === 'idle';
  const isCommand = marked !== undefined || (quoted === undefined && !isIdle && looksLikeCommand(what));
  const text = (marked ?? quoted ?? what).trim();
  const runInterval = intervals.length > 1 ? [...intervals] : often;
  if (isCommand && isIdle) return { kind: 'wrong', problem: l10n.t('A command takes a time such as 5m. “idle” is for a message.') };
  if (isCommand)
    return {
      kind: 'command',
      text,
      emitter: { command: text, runInterval, includeStderr: true, eventFilter: failureRules('inject') },
      says: runsText(intervals),
      other: `${LOOP} ${often} "${text}"`,
    };
  return {
    kind: 'prompt',
    text,
    emitter: { prompt: text, runInterval },
    says: isIdle ? l10n.t('Enter sends this message to the agent each time the session is idle:') : sendsText(intervals),
    other: `${LOOP} ${isIdle ? '5m' : often} $ ${text}`,
  };
}

function runsText(intervals: readonly string[]): string {
  return l10n.t`Enter runs this command ${everyText(intervals)}. Lines that tell of a failure go to the agent, the others are kept:`;
}

function sendsText(intervals: readonly string[]): string {
  return l10n.t`Enter sends this message to the agent ${everyText(intervals)}, while the session is idle:`;
}

/** A guess, which is shown before anything starts. */
function looksLikeCommand(what: string): boolean {
  const [first = '', ...more] = what.split(/\s+/);
  if (/^(?:\.{0,2}\/|~\/|[A-Z_]+=\S)/.test(first) || PROGRAMS.has(first)) return true;
  if (!ENGLISH.has(first)) return false;
  return more.length < 2 || more.some((word) => /^-{1,2}\w|[/|<>*]|&&|\.\w/.test(word));
}
