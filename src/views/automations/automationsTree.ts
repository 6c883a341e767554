/** The rows of “Automations”: what hosts do by themselves, and how it went. All of it comes from the hosts. */
import * as l10n from '../../base/l10n.ts';
import type {
  AutomationDefinition,
  AutomationEntry,
  AutomationRunLifecycle,
  AutomationRunSummary,
  AutomationsState,
  AutomationTrigger,
} from '../../ahp/channels/automations.ts';
import { displayPath } from '../text/displayPath.ts';
import { durationText, roughDuration } from '../text/time/duration.ts';
import { oneLine } from '../text/oneLine.ts';
import type { TreeRow } from '../tree/treeRow.ts';
import { visiblePlain } from '../text/visibleText.ts';
import { dateText, relativeTime } from '../text/time/relativeTime.ts';

export interface AutomationsInput {
  readonly hostId: string;
  readonly hostLabel: string;
  /** Undefined until it is known. */
  readonly state: AutomationsState | undefined;
  /** Why it cannot be read. */
  readonly problem?: string;
  /** The host can end a run. */
  readonly canStop: boolean;
}

export interface AutomationsNode extends TreeRow<'loadOlderRuns' | 'openAutomationRun'> {
  readonly kind: 'host' | 'automation' | 'run' | 'older' | 'note';
  readonly hostId: string;
  readonly automation?: AutomationEntry;
  readonly run?: AutomationRunSummary;
  /** The kind, and then what can be done. */
  readonly context: string;
  readonly children?: readonly AutomationsNode[];
}

/** Runs that are shown of one automation. */
const MAX_RUNS = 200;
const MAX_TOOLTIP = 1_000;
const MAX_QUESTION = 4_000;
/** What is further away is said as a date. */
const DAYS_FROM_MS = 48 * 3_600_000;
const date = l10n.dateFormat({ year: 'numeric', month: 'short', day: 'numeric' });

/** With one host its automations are at the top. `now`: in ms. */
export function automationsTree(inputs: readonly AutomationsInput[], now: number): AutomationsNode[] {
  const [only] = inputs;
  if (inputs.length === 1 && only) return automationsOf(only, now);
  return inputs.map((input) => {
    const { hostId, hostLabel } = input;
    const label = oneLine(hostLabel);
    return {
      id: hostId,
      kind: 'host',
      hostId,
      label,
      icon: { id: 'vm' },
      context: 'host',
      spoken: l10n.t`Agent host ${label}`,
      isOpen: true,
      children: automationsOf(input, now),
    };
  });
}

function automationsOf({ hostId, state, problem, canStop }: AutomationsInput, now: number): AutomationsNode[] {
  const note = (label: string, icon: string): AutomationsNode[] => [
    { id: `${hostId}\nnote`, kind: 'note', hostId, label, icon: { id: icon }, context: 'note' },
  ];
  if (problem !== undefined) return note(problem, 'warning');
  if (!state) return note(l10n.t('Loading…'), 'loading~spin');
  if (state.entries.length === 0) return note(l10n.t('This host has no automations.'), 'info');
  return state.entries.map((entry) => automationNode(hostId, entry, canStop, now));
}

function automationNode(hostId: string, automation: AutomationEntry, canStop: boolean, now: number): AutomationsNode {
  const { resource, definition, nextRunAt, runs, runsNextCursor, operations } = automation;
  const id = `${hostId}\n${resource}`;
  const label = automationTitle(definition);
  const next = Date.parse(nextRunAt ?? '');
  const isRunning = runs.some(({ lifecycle }) => lifecycle.status === 'running');
  const facts = [
    ...(isRunning ? [l10n.t('runs')] : []),
    ...(definition.enabled ? (Number.isNaN(next) ? [] : [nextWords(next, now)]) : [l10n.t('off')]),
    ...definition.triggers.map(triggerWords),
  ];
  const description = facts.join(' · ');
  const can = (operation: 'update' | 'run') => operations.includes(operation);
  const shown = runs.slice(0, MAX_RUNS).map((run) => runNode(hostId, automation, run, canStop, now));
  const older: AutomationsNode = {
    ...{
      id: `${id}\nolder`,
      kind: 'older',
      hostId,
      automation,
      label: l10n.t('Load older runs'),
      icon: { id: 'history' },
      context: 'older',
    },
    action: 'loadOlderRuns',
  };
  const none: AutomationsNode = {
    ...{ id: `${id}\nnone`, kind: 'note', hostId, label: l10n.t('It has not run yet.'), icon: { id: 'info' }, context: 'note' },
  };
  return {
    ...{ id, kind: 'automation', hostId, automation, label, description },
    tooltip: [label, description, ...automationFacts(definition)].join('\n'),
    icon: { id: isRunning ? 'loading~spin' : definition.enabled ? 'clock' : 'circle-slash' },
    context: ['automation', ...(can('update') ? [definition.enabled ? 'disable' : 'enable'] : []), ...(can('run') ? ['run'] : [])].join(
      ' ',
    ),
    children: [...(shown.length === 0 ? [none] : shown), ...(runsNextCursor === undefined ? [] : [older])],
  };
}

function nextWords(next: number, now: number): string {
  if (next <= now) return l10n.t('due');
  return next - now < DAYS_FROM_MS ? l10n.t`next in ${roughDuration(next - now)}` : l10n.t`next on ${dateText(next, date)}`;
}

export function automationTitle({ title }: AutomationDefinition): string {
  return oneLine(title) || l10n.t('An automation without a name');
}

/** What it does, where, with which settings, cut to what a tooltip has room for. */
function automationFacts(definition: AutomationDefinition): string[] {
  return factsOf(definition, byName).map(([name, value]) => `${name}: ${oneLine(value, MAX_TOOLTIP)}`);
}

/**
 * All that decides about what happens, for the question before it runs or is turned `on`: nothing is cut or unseen, and what the host calls a
 * thing never stands for the thing. Undefined where it is too long for a question.
 */
export function automationQuestion(definition: AutomationDefinition, turned?: 'on'): string[] | undefined {
  const facts = factsOf(definition, whole);
  if (turned) facts.push([l10n.t('When'), definition.triggers.map(triggerInFull).join(', ') || l10n.t('only by hand')]);
  // A line of the prompt does not look like one of ours.
  const lines = facts.map(([name, value]) => `${name}: ${visiblePlain(value, true).replaceAll('\n', '\n    ')}`);
  return lines.join('\n').length > MAX_QUESTION ? undefined : lines;
}

/** How a thing is told that has a name and more. */
type Telling = (name: string, thing: object) => string;

const byName: Telling = (name) => name;

function whole(name: string, thing: object): string {
  const rest = Object.entries(thing).filter(([, value]) => value !== name && value !== undefined);
  return rest.length === 0 ? name : `${name} ${JSON.stringify(Object.fromEntries(rest))}`;
}

function triggerInFull(trigger: AutomationTrigger): string {
  if (trigger.kind !== 'schedule' || !('schedule' in trigger)) return whole(triggerWords(trigger), trigger);
  const { id: _id, kind: _kind, schedule, ...rest } = trigger;
  return whole(`${schedule.expression} ${schedule.timeZone}`.trim() || triggerWords(trigger), rest);
}

function factsOf(definition: AutomationDefinition, told: Telling): [name: string, value: string][] {
  const { text, attachments = [], model: asked, agent: askedAgent, origin: _origin, ...more } = definition.message;
  const { provider, model, agent, workingDirectories = [], config = {}, customizations = [], ...others } = definition.session;
  const settings = Object.entries(config).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const agents = [...(provider === undefined ? [] : [provider]), ...[model, asked].flatMap((one) => (one ? [told(one.id, one)] : []))];
  const facts: [string, string[]][] = [
    [l10n.t('It says'), [text]],
    // In full everywhere, because a label says what it likes.
    [l10n.t('With'), attachments.map((one) => whole(one.label ?? one.type, one))],
    [l10n.t('Agent'), [...agents, ...[agent, askedAgent].flatMap((one) => (one ? [told(one.uri, one)] : []))]],
    [l10n.t('Folder'), workingDirectories.map((uri) => (uri.startsWith('file:///') ? displayPath(uri) : uri))],
    [l10n.t('Settings'), settings],
    [l10n.t('Plugins'), customizations.map((one) => told(one.name, one))],
    [l10n.t('Also'), told === whole ? [more, others].map((rest) => JSON.stringify(rest)).filter((rest) => rest !== '{}') : []],
  ];
  return facts.flatMap(([name, values]): [string, string][] => (values.length > 0 ? [[name, values.join(', ')]] : []));
}

export function triggerWords(trigger: AutomationTrigger): string {
  if (trigger.kind === 'schedule' && 'schedule' in trigger)
    return oneLine(`${trigger.schedule.expression} ${trigger.schedule.timeZone}`.trim()) || l10n.t('by a schedule that cannot be read');
  if (trigger.kind === 'event' && 'title' in trigger)
    return l10n.t({ message: 'on {0}', args: [oneLine(trigger.title) || oneLine(trigger.type)], comment: 'an event' });
  return l10n.t('by a trigger that this version does not know');
}

const RUN_WORDS: Record<string, { words: string; icon: string }> = {
  pending: { words: l10n.t('waits'), icon: 'watch' },
  running: { words: l10n.t('runs'), icon: 'loading~spin' },
  completed: { words: l10n.t('done'), icon: 'check' },
  failed: { words: l10n.t('failed'), icon: 'error' },
  cancelled: { words: l10n.t('stopped'), icon: 'circle-slash' },
};

function runNode(hostId: string, automation: AutomationEntry, run: AutomationRunSummary, canStop: boolean, now: number): AutomationsNode {
  const { resource, lifecycle, origin, sessionCount, primarySession } = run;
  const { words, icon } = (Object.hasOwn(RUN_WORDS, lifecycle.status) && RUN_WORDS[lifecycle.status]) || {
    words: oneLine(lifecycle.status),
    icon: 'question',
  };
  const { createdAt, startedAt, completedAt, error } = lifecycle as LifecycleFields;
  const began = Date.parse(startedAt ?? createdAt ?? '');
  const lasted = Date.parse(completedAt ?? '') - began;
  const isOpen = lifecycle.status === 'pending' || lifecycle.status === 'running';
  const facts = [
    ...(Number.isFinite(began) ? [relativeTime(began, now)] : []),
    ...(Number.isFinite(lasted) && lasted >= 0 ? [durationText(lasted)] : []),
    origin.kind === 'manual' ? l10n.t('by hand') : origin.kind === 'trigger' ? l10n.t('by itself') : '',
    ...(sessionCount > 1
      ? [l10n.plural(sessionCount, l10n.t`${l10n.countText(sessionCount)} session`, l10n.t`${l10n.countText(sessionCount)} sessions`)]
      : []),
    ...(error ? [oneLine(error.message)] : []),
  ].filter((fact) => fact !== '');
  const description = facts.join(' · ');
  const hasSession = primarySession !== undefined || sessionCount > 0;
  return {
    ...{
      id: `${hostId}\n${automation.resource}\n${resource}`,
      kind: 'run',
      hostId,
      automation,
      run,
      label: words,
      icon: { id: icon },
      description,
    },
    tooltip: [automationTitle(automation.definition), words, description].filter(Boolean).join('\n'),
    context: ['run', ...(hasSession ? ['session'] : []), ...(isOpen && canStop ? ['stop'] : [])].join(' '),
    spoken: [l10n.t`Run, ${words}`, description].filter(Boolean).join(', '),
    ...(hasSession && { action: 'openAutomationRun' as const }),
  };
}

/** Of any status. */
type LifecycleFields = Partial<Extract<AutomationRunLifecycle, { status: 'failed' }>>;
