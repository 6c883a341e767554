import { model } from './parts/message.ts';
import { errorInfo, texts } from './parts/fields.ts';
import {
  anyObject,
  type Check,
  flag,
  list,
  malformed,
  may,
  needs,
  number,
  object,
  or,
  text,
  union,
  uniqueBy,
} from './parts/shapeChecks.ts';
import type { AutomationRunState, AutomationsState } from '../channels/automations.ts';

/** As they came, because the user is to see all that an automation is given. */
const attachments = list(object({ type: or('unknown', text), label: may(text) }), malformed('type'));
const automationMessage = object({ text: or('', text), attachments: may(attachments) });
const automationDefinition = object({
  title: or('', text),
  message: or({ text: '' }, automationMessage),
  session: or(
    {},
    object({
      provider: may(text),
      model: may(model),
      agent: may(object({ uri: needs(text) })),
      workingDirectories: texts,
      config: may(anyObject),
      customizations: may(list(object({ name: or('', text) }))),
    }),
  ),
  enabled: or(false, flag),
  triggers: or(
    [],
    list(
      union('kind', {
        schedule: object({ schedule: needs(object({ expression: or('', text), timeZone: or('', text) })) }),
        event: object({ title: or('', text), type: or('', text) }),
      }),
      // Without it the user would read that nothing starts the automation.
      () => ({ kind: '' }),
    ),
  ),
});
const lifecycleTimes = { createdAt: may(text), startedAt: may(text), completedAt: may(text) };
const plainRun = object(lifecycleTimes);
const runFields = {
  origin: or({ kind: '' }, union('kind', {})),
  lifecycle: or(
    { status: '' },
    union('status', {
      pending: plainRun,
      running: plainRun,
      completed: plainRun,
      failed: object({ ...lifecycleTimes, error: may(errorInfo) }),
      cancelled: plainRun,
    }),
  ),
  primarySession: may(text),
};
const run = object({ resource: needs(text), ...runFields, sessionCount: or(0, number) });
const runState = object({ resource: or('', text), automation: or('', text), ...runFields, sessions: or([], list(text)) });
const byResource = (item: Check) => uniqueBy('resource', list(item));
const automations = object({
  entries: or(
    [],
    byResource(
      object({
        resource: needs(text),
        definition: needs(automationDefinition),
        nextRunAt: may(text),
        runs: or([], byResource(run)),
        runsNextCursor: may(text),
        operations: or([], list(text)),
      }),
    ),
  ),
});

const none: AutomationsState = { entries: [] };
const noRun = { resource: '', automation: '', origin: { kind: '' }, lifecycle: { status: '' }, sessions: [] };

export function wellFormedAutomations(value: AutomationsState): AutomationsState {
  return (automations(value) ?? none) as AutomationsState;
}

export function wellFormedAutomationRun(value: AutomationRunState): AutomationRunState {
  return (runState(value) ?? noRun) as AutomationRunState;
}
