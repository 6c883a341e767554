/** Automations (`ahp-automations://`) and their runs. Clients ask for changes; what becomes of them comes as actions of the host. */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';
import { sameJson } from '../../base/sameJson.ts';
import { type ActionLike, createReducer, isAbsent, listIn, listOf, putAt, setField } from '../common/reducers/reducer.ts';
import {
  action,
  type ActionsOf,
  type AnyOf,
  anyObject,
  id,
  listOf as listSchema,
  tagged,
  type UnknownTag,
  uri,
} from '../common/schemas.ts';
import type { ErrorInfo, UsageInfo } from '../common/shapes.ts';
import { agentSelection, type Meta, modelSelection, type URI } from './shapes/basic.ts';
import { clientPlugin, type PluginCustomization } from './shapes/customizations.ts';
import { message } from './shapes/message.ts';

/** The URI of the one channel that lists the automations of a host. */
export const AUTOMATIONS_CHANNEL = 'ahp-automations://';

const triggerEvent = z.object({ id, title: z.string(), description: z.optional(z.string()) });
const triggers = [
  z.object({
    id,
    kind: z.literal('schedule'),
    schedule: z.object({
      /** Cron. */
      expression: z.string(),
      timeZone: z.string(),
    }),
    misfirePolicy: z.optional(z.enum(['skip', 'runOnce'])),
  }),
  z.object({
    id,
    kind: z.literal('event'),
    type: z.string(),
    title: z.string(),
    description: z.optional(z.string()),
    events: listSchema(triggerEvent),
    config: z.optional(anyObject),
  }),
] as const;
export type AutomationTrigger = z.infer<(typeof triggers)[number]> | { kind: UnknownTag };
const trigger: z.ZodMiniType<AutomationTrigger> = tagged('kind', triggers);

const disableConditions = [
  z.object({ kind: z.literal('afterRuns'), max: z.int().check(z.gte(1)) }),
  /** ISO 8601. */
  z.object({ kind: z.literal('afterDate'), date: z.string() }),
] as const;
/** When one is met, the host disables the automation. Since 1.0.0. */
export type AutomationDisableCondition = z.infer<(typeof disableConditions)[number]> | { kind: UnknownTag };
const disableCondition: z.ZodMiniType<AutomationDisableCondition> = tagged('kind', disableConditions);

const sessionTemplate = z.object({
  provider: z.optional(id),
  model: z.optional(modelSelection),
  agent: z.optional(agentSelection),
  workingDirectories: z.optional(listSchema(uri)),
  config: z.optional(anyObject),
  /** Only where the host advertises `automations.customizations`. Since 1.0.0. */
  customizations: z.optional(listSchema(clientPlugin)),
});

const definition = z.object({
  title: z.string(),
  message,
  session: sessionTemplate,
  enabled: z.boolean(),
  triggers: listSchema(trigger),
  disableConditions: z.optional(listSchema(disableCondition)),
  _meta: z.optional(anyObject),
});
export interface AutomationDefinition extends z.infer<typeof definition> {}

export type AutomationRunLifecycle =
  | { status: 'pending'; createdAt: string }
  | { status: 'running'; createdAt: string; startedAt: string }
  | { status: 'completed'; createdAt: string; startedAt: string; completedAt: string; usage?: UsageInfo }
  | { status: 'failed'; createdAt: string; startedAt?: string; completedAt: string; error: ErrorInfo }
  | { status: 'cancelled'; createdAt: string; startedAt?: string; completedAt: string }
  | { status: UnknownTag };

export type AutomationRunOrigin =
  | { kind: 'manual' }
  | { kind: 'trigger'; triggerId: string; scheduledFor?: string; catchUp?: boolean; event?: Record<string, unknown> }
  | { kind: UnknownTag };

interface RunBase {
  resource: URI;
  automation: URI;
  origin: AutomationRunOrigin;
  lifecycle: AutomationRunLifecycle;
  primarySession?: URI;
  _meta?: Meta;
}
export interface AutomationRunSummary extends RunBase {
  sessionCount: number;
}
/** The state of a run's own channel. */
export interface AutomationRunState extends RunBase {
  sessions: URI[];
}

export interface AutomationEntry {
  resource: URI;
  definition: AutomationDefinition;
  nextRunAt?: string;
  runs: AutomationRunSummary[];
  /** Older runs can be loaded with `fetchAutomationRuns`. */
  runsNextCursor?: string;
  /** What clients may do with it. */
  operations: ('update' | 'remove' | 'run' | UnknownTag)[];
  createdAt: string;
  modifiedAt: string;
  /** Scheduled runs that count for `afterRuns`. Since 1.0.0. */
  runCount?: number;
  /** The host's copies of the template's plugins. Since 1.0.0. */
  customizations?: PluginCustomization[];
  _meta?: Meta;
}
export interface AutomationsState {
  entries: AutomationEntry[];
  _meta?: Meta;
}

/** What clients may dispatch, by type. Requests change no state: the host answers with `automation/set`. */
export const automationsClientActions = {
  'automation/createRequested': action('automation/createRequested', { resource: uri, definition }),
  /** Absent fields stay. */
  'automation/updateRequested': action('automation/updateRequested', { resource: uri, changes: z.partial(definition) }),
  'automation/removed': action('automation/removed', { resource: uri }),
};
interface AutomationsHostActions {
  'automation/set': { automation: AutomationEntry };
}
export type AutomationsAction = AnyOf<typeof automationsClientActions> | ActionsOf<AutomationsHostActions>;

export const automationsReducer = createReducer<AutomationsState, AutomationsAction>((draft, action) => {
  switch (action.type) {
    case 'automation/set': {
      const { automation } = action;
      if (!isRecord(automation) || typeof automation.resource !== 'string') break;
      putAt(listIn(draft, 'entries'), placeOf(draft, automation.resource), automation);
      break;
    }
    case 'automation/removed': {
      const index = placeOf(draft, action.resource);
      if (index >= 0) draft.entries.splice(index, 1);
      break;
    }
    default:
  }
});

function placeOf(draft: AutomationsState, resource: URI): number {
  return isAbsent(resource) ? -1 : listOf(draft.entries).findIndex((entry) => entry?.resource === resource);
}

/** What clients may dispatch, by type. */
export const automationRunClientActions = {
  'automationRun/cancelRequested': action('automationRun/cancelRequested', {}),
};
interface AutomationRunHostActions {
  'automationRun/lifecycleChanged': { lifecycle: AutomationRunLifecycle };
  'automationRun/sessionSet': { session: URI };
  'automationRun/sessionRemoved': { session: URI };
  'automationRun/primarySessionChanged': { primarySession?: URI };
}
export type AutomationRunAction = AnyOf<typeof automationRunClientActions> | ActionsOf<AutomationRunHostActions>;

export const automationRunReducer = createReducer<AutomationRunState, AutomationRunAction>((draft, action) => {
  const sessions = listOf(draft.sessions);
  switch (action.type) {
    case 'automationRun/lifecycleChanged':
      if (isRecord(action.lifecycle)) setField(draft, 'lifecycle', action.lifecycle);
      break;
    case 'automationRun/sessionSet':
      if (typeof action.session === 'string' && !sessions.includes(action.session)) listIn(draft, 'sessions').push(action.session);
      break;
    case 'automationRun/sessionRemoved': {
      const index = sessions.indexOf(action.session);
      if (index < 0) break;
      draft.sessions.splice(index, 1);
      if (draft.primarySession === action.session) setField(draft, 'primarySession', undefined);
      break;
    }
    case 'automationRun/primarySessionChanged': {
      const { primarySession } = action;
      if (isAbsent(primarySession) || typeof primarySession === 'string') setField(draft, 'primarySession', primarySession);
      break;
    }
    default:
  }
});

/** True when the host's action does what a client has requested of automations. VS Code's host sends it and does not echo the request. */
export function fulfilsRequest(request: ActionLike, done: ActionLike): boolean {
  const [asked, action] = [request as AutomationsAction | AutomationRunAction, done as AutomationsAction | AutomationRunAction];
  switch (asked.type) {
    case 'automation/createRequested':
      return action.type === 'automation/set' && action.automation?.resource === asked.resource;
    case 'automation/updateRequested': {
      if (action.type !== 'automation/set' || action.automation?.resource !== asked.resource) return false;
      const after = action.automation.definition as Record<string, unknown> | undefined;
      return Object.entries(asked.changes).every(([name, value]) => sameJson(after?.[name], value));
    }
    case 'automation/removed':
      return action.type === 'automation/removed' && action.resource === asked.resource;
    case 'automationRun/cancelRequested':
      return action.type === 'automationRun/lifecycleChanged' && action.lifecycle?.status === 'cancelled';
    default:
      return false;
  }
}
