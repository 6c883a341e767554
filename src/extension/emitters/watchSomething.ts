/** Asks what is to be watched for a session, how often, and what of it is worth an interruption. Then it starts, without a further question. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { startEmitter, type SessionEmitters } from '../../pages/emitters/sessionEmitters.ts';
import { intervalMs } from '../../tap/wire/emitters/intervals.ts';
import type { EmitterStatus, EventFilter, NewEmitter } from '../../views/emitters/emitterRequest.ts';
import { type Interruption, interruptionRules } from '../../views/emitters/interruptions.ts';
import { failuresOf, type WatchTemplate, watchTemplates } from '../../views/emitters/watchTemplates.ts';

const TITLE = l10n.t('Watch Something for This Session');

type What = { kind: 'command'; command: string; template?: WatchTemplate } | { kind: 'prompt'; prompt: string };
type Choice<T> = vscode.QuickPickItem & { value: T };

/** Undefined where the user has left a question: nothing was started. `isWindows`: of the computer on which commands run. */
export async function watchSomething(emitters: SessionEmitters, isWindows: boolean): Promise<EmitterStatus | undefined> {
  const what = await askWhat(isWindows);
  const emitter = what && (await (what.kind === 'prompt' ? promptEmitter(what) : commandEmitter(what)));
  return emitter && startEmitter(emitters, emitter);
}

async function askWhat(isWindows: boolean): Promise<What | undefined> {
  const own = { command: 'command', prompt: 'prompt' } as const;
  const items: (Choice<WatchTemplate | 'command' | 'prompt'> | vscode.QuickPickItem)[] = [
    ...watchTemplates.map((value) => ({ label: `$(${value.icon}) ${value.label}`, description: value.detail, value })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(terminal) ${l10n.t('A command of your own')}`,
      description: l10n.t('Runs in the folder of the session; each line it prints is an event'),
      value: own.command,
    },
    {
      label: `$(comment) ${l10n.t('A message to the agent')}`,
      description: l10n.t('Is sent again and again, while the session is idle'),
      value: own.prompt,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder: l10n.t('What is to be watched?') });
  if (!picked || !('value' in picked)) return undefined;
  if (picked.value === 'prompt') {
    const prompt = await ask(l10n.t('The message, as you would type it'), l10n.t('Check whether the deployment has finished'));
    return prompt === undefined ? undefined : { kind: 'prompt', prompt };
  }
  const template = picked.value === 'command' ? undefined : picked.value;
  const question = template?.question;
  const answer = question ? await ask(question.prompt, question.placeHolder, '', (value) => question.check(value)) : '';
  if (answer === undefined) return undefined;
  const command = await ask(
    l10n.t('The command, as it runs in the folder of the session. Change it as you like'),
    // eslint-disable-next-line texts/translated -- a command
    'npm test',
    template?.command(answer, isWindows) ?? '',
  );
  return command === undefined ? undefined : { kind: 'command', command, ...(template && { template }) };
}

async function commandEmitter({ command, template }: Extract<What, { kind: 'command' }>): Promise<NewEmitter | undefined> {
  const often = await askHowOften(
    [
      {
        label: l10n.t('Once, and on as long as it runs'),
        description: l10n.t('For a command that does not end by itself'),
        value: undefined,
      },
    ],
    template ? template.runInterval : '5m',
  );
  if (!often) return undefined;
  const eventFilter = await askInterruption(template);
  return eventFilter && { command, includeStderr: true, eventFilter, ...(often.runInterval !== undefined && often) };
}

async function promptEmitter({ prompt }: Extract<What, { kind: 'prompt' }>): Promise<NewEmitter | undefined> {
  const often = await askHowOften(
    [{ label: l10n.t('Each time the session becomes idle'), description: l10n.t('Ten times at most, until you speak'), value: 'idle' }],
    '15m',
  );
  return often && { prompt, ...(often.runInterval !== undefined && often) };
}

const OTHER = 'other';
const USUAL: readonly Choice<string | undefined>[] = [
  { label: l10n.t('Every 30 s'), value: '30s' },
  { label: l10n.t('Every 1 min'), value: '1m' },
  { label: l10n.t('Every 2 min'), value: '2m' },
  { label: l10n.t('Every 5 min'), value: '5m' },
  { label: l10n.t('Every 15 min'), value: '15m' },
  { label: l10n.t('Every 1 h'), value: '1h' },
];

/** `usual`: comes first. Undefined where the question was left. */
async function askHowOften(
  special: readonly Choice<string | undefined>[],
  usual: string | undefined,
): Promise<{ runInterval?: string } | undefined> {
  const all = [...special, ...USUAL, { label: l10n.t('Another time…'), value: OTHER }];
  const first = all.filter(({ value }) => value === usual);
  const items = [...first, ...all.filter((item) => !first.includes(item))];
  const placeHolder = l10n.t('How often? The next run begins that long after the last one has ended');
  const picked = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder });
  if (!picked) return undefined;
  if (picked.value !== OTHER) return picked.value === undefined ? {} : { runInterval: picked.value };
  const typed = await ask(l10n.t('How long between two runs?'), '10m', '', (value) =>
    intervalMs(value.trim()) === undefined ? l10n.t('Write a number with s, m, h or d, such as 30s or 5m; at most 24 days.') : undefined,
  );
  return typed === undefined ? undefined : { runInterval: typed.trim() };
}

async function askInterruption(template: WatchTemplate | undefined): Promise<EventFilter | undefined> {
  const items: Choice<Interruption | 'pattern'>[] = [
    {
      label: l10n.t('Failures go to the agent'),
      description: l10n.t('as soon as the session is idle; the rest is kept'),
      value: 'failuresToAgent',
    },
    { label: l10n.t('Failures are shown to you'), description: l10n.t('in the session; the rest is kept'), value: 'failuresToUser' },
    { label: l10n.t('Lines that match a pattern go to the agent…'), description: l10n.t('the rest is kept'), value: 'pattern' },
    { label: l10n.t('Every line goes to the agent'), description: l10n.t('four at a time'), value: 'allToAgent' },
    { label: l10n.t('Every line is shown to you'), value: 'allToUser' },
    { label: l10n.t('Nothing interrupts'), description: l10n.t('all lines are kept, for when somebody looks'), value: 'nothing' },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: TITLE, placeHolder: l10n.t('What is worth an interruption?') });
  if (!picked) return undefined;
  if (picked.value === 'failuresToAgent') return failuresOf(template, 'inject');
  if (picked.value === 'failuresToUser') return failuresOf(template, 'surface');
  if (picked.value !== 'pattern') return interruptionRules(picked.value);
  const match = await ask(l10n.t('A regular expression (RE2), found anywhere in the line'), '(?i)error|failed');
  return match === undefined ? undefined : [{ match, outcome: 'inject' }];
}

function ask(prompt: string, placeHolder: string, value = '', check: (value: string) => string | undefined = () => undefined) {
  const validateInput = (typed: string) => (typed.trim() === '' ? l10n.t('Write something.') : check(typed));
  return vscode.window.showInputBox({ title: TITLE, prompt, placeHolder, value, ignoreFocusOut: true, validateInput });
}
