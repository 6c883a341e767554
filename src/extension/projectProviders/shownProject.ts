/** The text on which the user decides: everything that says what would run, so that two different contents never look the same. */
import * as l10n from '@vscode/l10n';
import { resolve } from 'node:path';
import type { ProjectProviderConfig } from '../../tap/owner/config/tapConfig.ts';
import type { EmitterSpec } from '../../tap/wire/emitters/emitterSpec.ts';
import { field, quoted } from '../../base/text/quoted.ts';
import { countedParts, type Project } from './project.ts';

export function shownProject(project: Project): string {
  const { folder, file, providers, emitters } = project;
  const isOne = providers.length + emitters.length === 1;
  return [
    `${isOne ? countedParts(project).replace('1', 'One') : countedParts(project)} ${isOne ? 'is' : 'are'} named in`,
    `    ${quoted(file)}`,
    '',
    ...(providers.length > 0 ? ABOUT_PROVIDERS : []),
    ...(emitters.length > 0 ? ABOUT_EMITTERS : []),
    'A character that cannot be seen is written as \\u{…}.',
    '',
    'Nothing runs until you allow it. You allow this list: if it changes, you are',
    'asked again. The contents of the programs themselves are not compared.',
    ...providers.flatMap((provider, at) => ['', '', ...shownProvider(provider, folder, at + 1)]),
    ...emitters.flatMap((emitter, at) => ['', '', ...shownEmitter(emitter, at + 1)]),
    '',
  ].join('\n');
}

const ABOUT_PROVIDERS = [
  l10n.t('Programs lend tools to the agent sessions that work in this folder. Each one'),
  l10n.t('runs once for each of these sessions, on this computer and with your rights,'),
  l10n.t('until the session ends. No shell is involved: arguments are passed as they'),
  l10n.t('stand here.'),
  '',
];
const ABOUT_EMITTERS = [
  l10n.t('Emitters watch something for each agent session that works in this folder,'),
  l10n.t('until it ends. A command is a line for your shell, with your rights. What its'),
  l10n.t('lines say may be given to the agent, and a prompt is sent to it, as its filter'),
  l10n.t('and its interval say.'),
  '',
];

function shownProvider({ name, command, args, cwd, env }: ProjectProviderConfig, folder: string, number: number): string[] {
  return [
    `Provider ${number}: ${quoted(name)}`,
    ...field('program', command),
    ...args.flatMap((argument, at) => field(`argument ${at + 1}`, argument)),
    ...(args.length === 0 ? [l10n.t('    no arguments')] : []),
    ...field(l10n.t('runs in'), resolve(folder, cwd ?? '.')),
    ...Object.entries(env).flatMap(([variable, value]) => field(`variable ${quoted(variable)} =`, value)),
    ...(Object.keys(env).length === 0 ? [l10n.t('    no variables of its own')] : []),
  ];
}

const outcomes = { drop: 'dropped', keep: 'kept', surface: l10n.t('shown to you'), inject: l10n.t('given to the agent') } as const;

function shownEmitter(emitter: EmitterSpec, number: number): string[] {
  const { name, command, prompt, cwd, stream, description, runInterval, eventFilter, maxRuns, includeStderr, ownership } = emitter;
  const isCommand = command !== undefined;
  return [
    `Emitter ${number}: ${quoted(name)}`,
    ...(isCommand ? field('command', command) : field('prompt', prompt ?? '')),
    ...(isCommand ? field(l10n.t('runs in the folder of the session, in'), cwd ?? '.') : []),
    `    ${intervalText(runInterval, isCommand)}`,
    ...(maxRuns === undefined ? [] : [l10n.t`    at most ${maxRuns === 1 ? 'once' : `${maxRuns} times`}`]),
    ...(eventFilter ?? []).flatMap(({ match, outcome }, at) =>
      field(l10n.t`${at === 0 ? 'lines' : 'other lines'} are ${outcomes[outcome]} that match`, match),
    ),
    ...(isCommand ? [l10n.t`    ${eventFilter?.length ? 'all other lines' : 'its lines'} are kept`] : []),
    ...(includeStderr ? [l10n.t('    lines on its standard error too')] : []),
    ...(stream === undefined ? [] : field(l10n.t('fills the stream'), stream)),
    ...(ownership === 'modelOwned' ? [l10n.t('    the agent may change and stop it without asking you')] : []),
    ...(emitter.autoStart === false ? [l10n.t('    waits until you run it')] : []),
    ...(emitter.injector === false ? [l10n.t('    lines for the agent wait until you switch its injector on')] : []),
    ...(description === undefined ? [] : field(l10n.t('is said to be for'), description)),
  ];
}

function intervalText(interval: EmitterSpec['runInterval'], isCommand: boolean): string {
  if (interval === undefined) return isCommand ? l10n.t('runs until it ends') : l10n.t('is sent once');
  if (interval === 'idle') return l10n.t('is sent each time the session becomes idle');
  const [first, ...rest] = [interval].flat();
  const times = [first, ...rest].map((time) => quoted(time ?? '')).join(', then ');
  return l10n.t`${isCommand ? 'runs' : 'is sent'} at once and again after ${times}`;
}
