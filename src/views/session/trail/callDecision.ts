/** Who allowed or denied a call, and how. Nothing is claimed that this window does not know. */
import * as l10n from '../../../base/l10n.ts';
import { decidedDigest } from '../../../ahp/decidedDigest.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { ConfirmationOption } from '../../../ahp/common/tools.ts';
import { oneLine } from '../../text/oneLine.ts';

/** What this window saw of a decision. */
export interface CallDecision {
  /** The chat of the call: in AHP v1 the session, which may be that of a subagent. */
  session: string;
  turnId: string;
  callId: string;
  about: 'call' | 'result';
  approved: boolean;
  /** What was allowed or denied, by `decidedDigest`. The same call may ask for something else later. Absent for a result. */
  asked?: string | undefined;
  /**
   * `you`: the user of this window. `rule`: this window, by a rule of a tool provider. `client`: another client of the host. `host`: the host by
   * itself.
   */
  by: 'you' | 'rule' | 'client' | 'host';
  /** ms since the epoch, when this window heard of it. */
  at: number;
}

const deciders: Record<
  CallDecision['by'],
  { readonly allowed: string; readonly denied: string; readonly given: string; readonly withheld: string }
> = {
  you: {
    allowed: l10n.t('allowed by you'),
    denied: l10n.t('denied by you'),
    given: l10n.t('result given by you'),
    withheld: l10n.t('withheld by you'),
  },
  rule: {
    allowed: l10n.t('allowed by a rule of a provider'),
    denied: l10n.t('denied by a rule of a provider'),
    given: l10n.t('result given by a rule of a provider'),
    withheld: l10n.t('withheld by a rule of a provider'),
  },
  client: {
    allowed: l10n.t('allowed by another client'),
    denied: l10n.t('denied by another client'),
    given: l10n.t('result given by another client'),
    withheld: l10n.t('withheld by another client'),
  },
  host: {
    allowed: l10n.t('allowed by the host'),
    denied: l10n.t('denied by the host'),
    given: l10n.t('result given by the host'),
    withheld: l10n.t('withheld by the host'),
  },
};

/** In characters. */
const OPTION_LENGTH = 60;

/** `decisions`: those about this call, oldest first. Absent parts: nobody was asked, or nothing is known. */
export function decisionFacts(call: ToolCallState, decisions: readonly CallDecision[]): string[] {
  const fitting = fittingDecisions(call, decisions);
  const [decision, result] = (['call', 'result'] as const).map((about) => fitting.find((one) => one.about === about));
  switch (call.status) {
    case 'running':
    case 'auth-required':
    case 'completed':
    case 'pending-result-confirmation':
      return [...allowed(call, decision), ...(result ? [deciders[result.by].given] : [])];
    case 'cancelled':
      if (call.reason === 'denied') return decision ? [deciders[decision.by].denied] : [];
      return result ? [deciders[result.by].withheld] : [];
    default:
      return [];
  }
}

/** Those that led to what the host shows. After one that does not fit there was another one, which this window did not see. */
export function fittingDecisions(call: ToolCallState, decisions: readonly CallDecision[]): CallDecision[] {
  const last = (['call', 'result'] as const).flatMap((about) => decisions.findLast((one) => one.about === about) ?? []);
  return last.filter((decision) => fits(call, decision));
}

function fits(call: ToolCallState, { about, approved, asked }: CallDecision): boolean {
  switch (call.status) {
    case 'running':
    case 'auth-required':
    case 'completed':
    case 'pending-result-confirmation':
      if (about === 'result') return approved && call.status === 'completed';
      return approved && call.confirmed === 'user-action' && asked === decidedDigest(call);
    case 'cancelled':
      if (about === 'result') return !approved && call.reason === 'result-denied';
      return !approved && call.reason === 'denied' && asked === decidedDigest(call);
    default:
      return false;
  }
}

function allowed(
  { confirmed, selectedOption }: { confirmed: string; selectedOption?: ConfirmationOption },
  decision: CallDecision | undefined,
): string[] {
  if (confirmed === 'setting') return [l10n.t('allowed by a setting of the host')];
  if (confirmed !== 'user-action') return [];
  const option = oneLine(selectedOption?.label, OPTION_LENGTH);
  const by = decision ? deciders[decision.by].allowed : l10n.t('allowed');
  return [option === '' ? by : l10n.t`${by}: ${option}`];
}
