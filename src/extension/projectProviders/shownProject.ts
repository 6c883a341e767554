/** The text on which the user decides: everything that says what would run, so that two different contents never look the same. */
import * as l10n from '../../base/l10n.ts';
import { resolve } from 'node:path';
import type { ProjectProviderConfig } from '../../tap/owner/config/tapConfig.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import { quoted } from '../../base/text/quoted.ts';
import { CODES, fieldLines, wrapped } from '../../views/text/decisionLines.ts';
import { countedParts, type Project } from './project.ts';

export function shownProject(project: Project): string {
  const { folder, file, providers, emitters } = project;
  return [
    headingOf(project),
    `    ${quoted(file)}`,
    '',
    ...(providers.length > 0 ? ABOUT_PROVIDERS : []),
    ...(emitters.length > 0 ? ABOUT_EMITTERS : []),
    CODES,
    '',
    ...wrapped(
      l10n.t(
        'Nothing runs until you allow it. You allow this list: if it changes, you are asked again. The contents of the programs themselves are not compared.',
      ),
    ),
    ...providers.flatMap((provider, at) => ['', '', ...shownProvider(provider, folder, at + 1)]),
    ...emitters.flatMap((emitter, at) => ['', '', ...shownEmitter(emitter, at + 1)]),
    '',
  ].join('\n');
}

function headingOf(project: Project): string {
  if (project.providers.length + project.emitters.length > 1) return l10n.t`${countedParts(project)} are named in`;
  return project.emitters.length === 0 ? l10n.t('One program is named in') : l10n.t('One emitter is named in');
}

const ABOUT_PROVIDERS = [
  ...wrapped(
    l10n.t(
      'Programs lend tools to the agent sessions that work in this folder. Each one runs once for each of these sessions, on this computer and with your rights, until the session ends. No shell is involved: arguments are passed as they stand here.',
    ),
  ),
  '',
];
const ABOUT_EMITTERS = [
  ...wrapped(
    l10n.t(
      'Emitters watch something for each agent session that works in this folder, until it ends. A command is a line for your shell, with your rights. What its lines say may be given to the agent, and a prompt is sent to it, as its filter and its interval say.',
    ),
  ),
  '',
];

function shownProvider({ name, command, args, cwd, env }: ProjectProviderConfig, folder: string, number: number): string[] {
  return [
    l10n.t`Provider ${number}: ${quoted(name)}`,
    ...fieldLines(l10n.t('program'), command),
    ...args.flatMap((argument, at) => fieldLines(l10n.t`argument ${at + 1}`, argument)),
    ...(args.length === 0 ? [line(l10n.t('no arguments'))] : []),
    ...fieldLines(l10n.t('runs in'), resolve(folder, cwd ?? '.')),
    ...Object.entries(env).flatMap(([variable, value]) => fieldLines(l10n.t`variable ${quoted(variable)} =`, value)),
    ...(Object.keys(env).length === 0 ? [line(l10n.t('no variables of its own'))] : []),
  ];
}

const firstLines = {
  drop: l10n.t('lines are dropped that match'),
  keep: l10n.t('lines are kept that match'),
  surface: l10n.t('lines are shown to you that match'),
  inject: l10n.t('lines are given to the agent that match'),
} as const;
const otherLines = {
  drop: l10n.t('other lines are dropped that match'),
  keep: l10n.t('other lines are kept that match'),
  surface: l10n.t('other lines are shown to you that match'),
  inject: l10n.t('other lines are given to the agent that match'),
} as const;

function shownEmitter(emitter: EmitterSpec, number: number): string[] {
  const { name, command, prompt, cwd, stream, description, runInterval, eventFilter, maxRuns, includeStderr, ownership } = emitter;
  const isCommand = command !== undefined;
  const rest = eventFilter?.length ? l10n.t('all other lines are kept') : l10n.t('its lines are kept');
  return [
    l10n.t`Emitter ${number}: ${quoted(name)}`,
    ...(isCommand ? fieldLines(l10n.t('command'), command) : fieldLines(l10n.t('prompt'), prompt ?? '')),
    ...(isCommand ? fieldLines(l10n.t('runs in the folder of the session, in'), cwd ?? '.') : []),
    line(intervalText(runInterval, isCommand)),
    ...(maxRuns === undefined
      ? []
      : [line(l10n.plural(maxRuns, l10n.t('at most once'), l10n.t`at most ${l10n.countText(maxRuns)} times`))]),
    ...(eventFilter ?? []).flatMap(({ match, outcome }, at) => fieldLines((at === 0 ? firstLines : otherLines)[outcome], match)),
    ...(isCommand ? [line(rest)] : []),
    ...(includeStderr ? [line(l10n.t('lines on its standard error too'))] : []),
    ...(stream === undefined ? [] : fieldLines(l10n.t('fills the stream'), stream)),
    ...(ownership === 'modelOwned' ? [line(l10n.t('the agent may change and stop it without asking you'))] : []),
    ...(emitter.autoStart === false ? [line(l10n.t('waits until you run it'))] : []),
    ...(emitter.injector === false ? [line(l10n.t('lines for the agent wait until you switch its injector on'))] : []),
    ...(description === undefined ? [] : fieldLines(l10n.t('is said to be for'), description)),
  ];
}

function intervalText(interval: EmitterSpec['runInterval'], isCommand: boolean): string {
  if (interval === undefined) return isCommand ? l10n.t('runs until it ends') : l10n.t('is sent once');
  if (interval === 'idle') return l10n.t('is sent each time the session becomes idle');
  const times = [interval]
    .flat()
    .map((time) => quoted(time))
    .reduce((before, time) => l10n.t`${before}, then ${time}`);
  return isCommand ? l10n.t`runs at once and again after ${times}` : l10n.t`is sent at once and again after ${times}`;
}

/** Of ours, among those with what strangers wrote. */
function line(text: string): string {
  return `    ${text}`;
}
