/** An emitter as its panel shows it. Its texts are those of a command or a model, and shown as text. */
import * as l10n from '@vscode/l10n';
import { counted } from '../text/counted.ts';
import { roughDuration } from '../text/time/duration.ts';
import type { EmitterStatus, Outcome } from './emitterRequest.ts';
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
  counts: readonly { outcome: Outcome; label: string; count: number }[];
  runs: string;
  /** What waits for the agent, and what it did not get. */
  waiting?: string;
  startedBy: string;
  can: { stop: boolean; run?: 'Run Now' | 'Start Again'; filter: boolean };
}

/** What became of a line, in a word. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  drop: 'dropped',
  keep: 'kept',
  surface: l10n.t('shown to you'),
  inject: l10n.t('given to the agent'),
};

const states: Readonly<Record<EmitterStatus['state'], { icon: string; words: string }>> = {
  running: { icon: 'play-circle', words: 'Running' },
  waiting: { icon: 'watch', words: 'Waiting' },
  stopped: { icon: 'debug-stop', words: 'Stopped' },
  ended: { icon: 'check', words: 'Over' },
  failed: { icon: 'error', words: 'Failed' },
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
    counts: isCommand
      ? (['drop', 'keep', 'surface', 'inject'] as const).map((outcome) => ({
          outcome,
          label: outcomeWords[outcome],
          count: lines[outcome],
        }))
      : [],
    runs: counted(runs, 'run'),
    ...(waiting !== undefined && { waiting }),
    startedBy: startedBy === 'user' ? l10n.t('Started by you') : l10n.t('Started by the agent'),
    can: {
      stop: active,
      ...(state !== 'running' && { run: active ? (l10n.t('Run Now') as const) : (l10n.t('Start Again') as const) }),
      filter: isCommand,
    },
  };
}

function waitingText({ enabled, waiting, dropped, isPaused }: EmitterStatus['injector']): string | undefined {
  const said = [
    waiting > 0 && `${counted(waiting, 'line')} ${waiting === 1 ? 'waits' : 'wait'} for the agent`,
    isPaused && 'Paused until your next message: it has started too many turns by itself',
    !enabled && 'Lines for the agent are held back',
    dropped > 0 && `${counted(dropped, 'line')} did not reach the agent`,
  ].filter((one) => one !== false);
  return said.length > 0 ? said.join(' · ') : undefined;
}
