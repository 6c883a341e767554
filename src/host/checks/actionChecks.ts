/** What the host accepts of a client: every rule is here and beside, as a pure function of the action and the states. */
import { isClientDispatchable, type StateAction } from '../../ahp/channels/actions.ts';
import * as l10n from '../../base/l10n.ts';
import type { ChangesetAction, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { ChannelKind } from '../../ahp/channels/channelReducers.ts';
import type { RootAction, RootState } from '../../ahp/channels/root.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import { actionSchemas } from './actionSchemas.ts';
import { configChangeProblem } from './configValues.ts';
import { problemOf } from './problem.ts';

/** What this host has no use for. */
const unsupported: ReadonlySet<string> = new Set([
  'session/workingDirectorySet',
  'session/workingDirectoryRemoved',
  'session/workingDirectoryReplaced',
  'session/mcpServerStartRequested',
  'session/mcpServerStopRequested',
  'session/mcpServerBackgroundRequested',
  'chat/workingDirectorySet',
  'chat/workingDirectoryRemoved',
]);

/** Characters that a text has of one. */
const MAX_MODEL_ID = 200;

export const CANNOT = l10n.t('this host cannot do it');

/** Why this untrusted action of a client is refused whatever the state of its channel, or undefined. `kind`: of the channel. */
export function shapeProblem(action: StateAction, kind: ChannelKind): string | undefined {
  const { type } = action as { type?: unknown };
  if (typeof type !== 'string') return 'type is missing or not a string';
  if (!isClientDispatchable(type)) return `clients may not dispatch ${JSON.stringify(type.slice(0, 100))}`;
  const problem = problemOf(actionSchemas[type], action);
  if (problem) return problem;
  if (!type.startsWith(`${kind}/`)) return `${type} does not belong to this channel`;
  return unsupported.has(type) ? CANNOT : undefined;
}

export function rootProblem(action: RootAction, state: RootState): string | undefined {
  if (action.type !== 'root/configChanged') return undefined;
  if (!state.config) return 'this host has no configuration';
  const { schema, values } = state.config;
  return configChangeProblem(schema, values, action.config, action.replace === true, (property) => !property.readOnly);
}

export function changesetProblem(action: ChangesetAction, state: ChangesetState | undefined): string | undefined {
  if (action.type !== 'changeset/filesReviewChanged') return undefined;
  const known = new Set(state?.files.map(({ id }) => id));
  const unknown = action.files.find((id) => !known.has(id));
  return unknown === undefined ? undefined : `there is no file ${unknown.slice(0, 200)}`;
}

/** What is wrong with a model that its agent does not offer, for the user. An agent that lists no models accepts any. */
export function modelProblem(root: RootState, provider: string, model: ModelSelection): string | undefined {
  const models = root.agents.find((agent) => agent.provider === provider)?.models ?? [];
  if (models.length === 0 || models.some(({ id }) => id === model.id)) return undefined;
  return l10n.t`The model ${model.id.slice(0, MAX_MODEL_ID)} is not offered any more. Choose another one.`;
}
