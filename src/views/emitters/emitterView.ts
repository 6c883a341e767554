/** An emitter as its panel shows it. Its texts are those of a command or a model, and shown as text. */
import * as l10n from '../../base/l10n.ts';
import { roughDuration } from '../text/time/duration.ts';
import { type EmitterStatus, type Outcome, outcomes } from './emitterRequest.ts';
import { scheduleText } from './scheduleWords.ts';

export interface EmitterView {
  name: string;
  kind: 'command' | 'prompt';
  /** The whole command or prompt. */
  text: string;
  description?: string;
  state: { icon: string; words: string; isActive: boolean };
  schedule: string;
  /** "Next run in 40 s". */
  next?: string;
  lastLine?: string;
  /** How the last run has ended, or why it cannot run. */
  lastEnd?: string;
  /** What became of the lines of a command. */
  counts: readonly string[];
  runs: string;
  /** What waits for the agent, and what it did not get. */
  waiting?: string;
  startedBy: string;
  /** `run`: without waiting for its interval, or from the beginning where it is over. */
  can: { stop: boolean; run: boolean; filter: boolean };
}

/** What became of a line, in a word. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  drop: l10n.t('dropped'),
  keep: l10n.t('kept'),
  surface: l10n.t('shown to you'),
  inject: l10n.t('given to the agent'),
};

/** “3 dropped” */
export function outcomeCount(outcome: Outcome, count: number): string {
  const lines = l10n.countText(count);
  switch (outcome) {
    case 'drop':
      return l10n.t`${lines} dropped`;
    case 'keep':
      return l10n.t`${lines} kept`;
    case 'surface':
      return l10n.t`${lines} shown to you`;
    case 'inject':
      return l10n.t`${lines} given to the agent`;
  }
}

const states: Readonly<Record<EmitterStatus['state'], { icon: string; words: string }>> = {
  running: { icon: 'play-circle', words: l10n.t('Running') },
  waiting: { icon: 'watch', words: l10n.t('Waiting') },
  stopped: { icon: 'debug-stop', words: l10n.t('Stopped') },
  ended: { icon: 'check', words: l10n.t('Over') },
  failed: { icon: 'error', words: l10n.t('Failed') },
};

/** It runs, or will run by itself. */
export function isActive({ state }: Pick<EmitterStatus, 'state'>): boolean {
  return state === 'running' || state === 'waiting';
}

export function emitterView(status: EmitterStatus): EmitterView {
  const { name, command, prompt, description, state, nextRunInMs, lastLine, lastEnd, lines, runs, injector, startedBy } = status;
  const active = isActive(status);
  const isCommand = command !== undefined;
  const waiting = waitingText(injector);
  return {
    name,
    kind: isCommand ? 'command' : 'prompt',
    text: command ?? prompt ?? '',
    ...(description !== undefined && description !== '' && { description }),
    state: { ...states[state], isActive: active },
    schedule: scheduleText(status),
    ...(nextRunInMs !== undefined && active && { next: l10n.t`Next run in ${roughDuration(nextRunInMs)}` }),
    ...(lastLine !== undefined && { lastLine }),
    ...(lastEnd !== undefined && lastEnd !== '' && { lastEnd }),
    counts: isCommand ? outcomes.map((outcome) => outcomeCount(outcome, lines[outcome])) : [],
    runs: l10n.plural(runs, l10n.t`${l10n.countText(runs)} run`, l10n.t`${l10n.countText(runs)} runs`),
    ...(waiting !== undefined && { waiting }),
    startedBy: startedBy === 'user' ? l10n.t('Started by you') : l10n.t('Started by the agent'),
    can: {
      stop: active,
      run: state !== 'running',
      filter: isCommand,
    },
  };
}

function waitingText({ enabled, waiting, dropped, isPaused }: EmitterStatus['injector']): string | undefined {
  const said = [
    waiting > 0 &&
      l10n.plural(
        waiting,
        l10n.t`${l10n.countText(waiting)} line waits for the agent`,
        l10n.t`${l10n.countText(waiting)} lines wait for the agent`,
      ),
    isPaused && l10n.t('Paused until your next message: it has started too many turns by itself'),
    !enabled && l10n.t('Lines for the agent are held back'),
    dropped > 0 &&
      l10n.plural(
        dropped,
        l10n.t`${l10n.countText(dropped)} line did not reach the agent`,
        l10n.t`${l10n.countText(dropped)} lines did not reach the agent`,
      ),
  ].filter((one) => one !== false);
  return said.length > 0 ? said.join(' · ') : undefined;
}
