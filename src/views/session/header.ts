/** The session's header: where it runs, with what, and how it is. */
import type { ConfigPropertySchema } from '../../ahp/v1/common.ts';
import type { RootState } from '../../ahp/v1/root.ts';
import { SessionStatus, type SessionState } from '../../ahp/v1/session.ts';
import { WORKTREE_BRANCH } from '../../base/sessionMetaKeys.ts';
import { agentOf, modelFacts, modelProblem, usableModels } from '../agentModels.ts';
import { oneLine } from '../oneLine.ts';
import { displayPath } from '../displayPath.ts';
import { waitingOf } from './waiting.ts';

export interface HeaderView {
  title: string;
  /** True while the host gave no title yet. */
  untitled: boolean;
  /** "This computer · Copilot CLI · GPT-5"; what is not known is left out. */
  facts: readonly string[];
  workingDirectory?: string;
  /** Whether that is the user's folder or a git worktree, and the branch; absent outside of a repository. */
  branch?: string;
  /** A demo agent: nothing it says comes from a model. */
  demo: boolean;
  state: { kind: 'creating' | 'failed' | 'needsYou' | 'running' | 'away' | 'error' | 'idle'; label: string };
}

/** `removed`: the host does not have the session any more. `away`: it cannot be reached, so nobody knows whether the session goes on. */
export function headerView(session: SessionState, root: RootState | undefined, hostLabel: string, host?: 'removed' | 'away'): HeaderView {
  const { summary } = session;
  const agent = agentOf(session, root);
  const model = agent?.models.find((candidate) => candidate.id === summary.model?.id)?.name ?? summary.model?.id;
  return {
    title: oneLine(summary.title) || 'New session',
    untitled: summary.title === '',
    facts: [hostLabel, agent?.displayName || summary.provider, model].filter((fact): fact is string => Boolean(fact)),
    ...(summary.workingDirectory === undefined ? {} : { workingDirectory: displayPath(summary.workingDirectory) }),
    ...branchOf(session),
    demo: summary.provider === 'demo',
    state: host === 'removed' ? { kind: 'failed', label: 'Removed' } : stateOf(session, host === 'away'),
  };
}

/** The branch of a folder is the one of the session's beginning: hosts do not say when the user checks out another. */
function branchOf({ config, _meta }: SessionState): { branch?: string } {
  const { isolation, branch: configured } = config?.values ?? {};
  const from = oneLine(configured);
  const own = oneLine(_meta?.[WORKTREE_BRANCH]);
  if (isolation === 'worktree')
    return { branch: [`Worktree${from && ` from ${from}`}`, own && `branch ${own}`].filter(Boolean).join(' · ') };
  return from ? { branch: `Began on branch ${from}` } : {};
}

function stateOf(session: SessionState, isAway: boolean): HeaderView['state'] {
  if (session.lifecycle === 'creationFailed') return { kind: 'failed', label: 'Not created' };
  // Also on a host that is away: the user may answer, and the answer is sent on its return.
  if (session.lifecycle !== 'creating' && waitingOf(session).length > 0) return { kind: 'needsYou', label: 'Needs you' };
  if (isAway) return { kind: 'away', label: 'Not connected' };
  if (session.lifecycle === 'creating') return { kind: 'creating', label: 'Creating' };
  if (session.activeTurn) return { kind: 'running', label: oneLine(session.summary.activity) || 'Working' };
  if ((session.summary.status & SessionStatus.Error) !== 0) return { kind: 'error', label: 'Failed' };
  return { kind: 'idle', label: 'Idle' };
}

export interface PickerOption {
  value: string;
  label: string;
  /** A sentence. */
  description?: string;
  /** Short; beside the label. */
  facts?: readonly string[];
}

/** A value that is chosen from a list: the model, an option of it, or the session's mode. */
export interface Picker {
  id: string;
  title: string;
  value: string;
  options: readonly PickerOption[];
  /** The value cannot be had any more: another one has to be chosen. */
  isGone?: true;
  /** The values are bare words such as `low`, which say nothing without the title. */
  isBare?: true;
}

/** The models that the session's agent offers; undefined when there is nothing to choose. One that vanished is said to be gone. */
export function modelPicker(session: SessionState, root: RootState | undefined): Picker | undefined {
  const models = usableModels(agentOf(session, root));
  const current = session.summary.model?.id;
  if (models.length === 0) return undefined;
  const options: PickerOption[] = models.map((model) => ({
    value: model.id,
    label: model.name || model.id,
    facts: modelFacts(model),
  }));
  if (current === undefined) options.unshift({ value: '', label: 'Default model' });
  const gone = modelProblem(session, root)?.kind === 'gone';
  if (gone && current !== undefined) options.unshift({ value: current, label: current, facts: ['not offered any more'] });
  return { id: 'model', title: 'Model', value: current ?? '', options, ...(gone && { isGone: true }) };
}

/** Options of the chosen model (such as reasoning effort) that have a list of values. */
export function modelOptionPickers(session: SessionState, root: RootState | undefined): Picker[] {
  const chosen = session.summary.model;
  const schema = usableModels(agentOf(session, root)).find((model) => model.id === chosen?.id)?.configSchema;
  return Object.entries(schema?.properties ?? {}).flatMap(([id, property]) => enumPicker(id, property, chosen?.config?.[id]));
}

/** Settings of the session that may still change and have a list of values (its mode of approval, for example). */
export function sessionConfigPickers(session: SessionState): Picker[] {
  return Object.entries(session.config?.schema.properties ?? {}).flatMap(([id, property]) =>
    property.sessionMutable && !property.readOnly && !property.enumDynamic ? enumPicker(id, property, session.config?.values[id]) : [],
  );
}

function enumPicker(id: string, property: ConfigPropertySchema, value: unknown): Picker[] {
  if (property.type !== 'string' || !property.enum || property.enum.length === 0) return [];
  const options = property.enum.map((option, index) => {
    const description = property.enumDescriptions?.[index];
    return { value: option, label: property.enumLabels?.[index] ?? option, ...(description === undefined ? {} : { description }) };
  });
  const current = typeof value === 'string' ? value : typeof property.default === 'string' ? property.default : '';
  if (!property.enum.includes(current)) options.unshift({ value: current, label: current || 'Not set' });
  return [{ id, title: property.title || id, value: current, options, ...(!property.enumLabels && { isBare: true }) }];
}
