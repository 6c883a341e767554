/** The text on which the user decides: everything that says what would run, so that two different contents never look the same. */
import { resolve } from 'node:path';
import type { ProjectProviderConfig } from '../../tap/owner/tapConfig.ts';
import { field, quoted } from '../../base/text/quoted.ts';
import type { Project } from './project.ts';

export function shownProject({ folder, file, providers }: Project): string {
  const count = providers.length === 1 ? 'One program is' : `${providers.length} programs are`;
  return [
    `${count} named in`,
    `    ${quoted(file)}`,
    '',
    'They lend tools to the agent sessions that work in this folder. Each program',
    'runs once for each of these sessions, on this computer and with your rights,',
    'until the session ends. No shell is involved: arguments are passed as they',
    'stand here. A character that cannot be seen is written as \\u{…}.',
    '',
    'Nothing runs until you allow it. You allow this list: if it changes, you are',
    'asked again. The contents of the programs themselves are not compared.',
    ...providers.flatMap((provider, at) => ['', '', ...shownProvider(provider, folder, at + 1)]),
    '',
  ].join('\n');
}

function shownProvider({ name, command, args, cwd, env }: ProjectProviderConfig, folder: string, number: number): string[] {
  return [
    `Provider ${number}: ${quoted(name)}`,
    ...field('program', command),
    ...args.flatMap((argument, at) => field(`argument ${at + 1}`, argument)),
    ...(args.length === 0 ? ['    no arguments'] : []),
    ...field('runs in', resolve(folder, cwd ?? '.')),
    ...Object.entries(env).flatMap(([variable, value]) => field(`variable ${quoted(variable)} =`, value)),
    ...(Object.keys(env).length === 0 ? ['    no variables of its own'] : []),
  ];
}
