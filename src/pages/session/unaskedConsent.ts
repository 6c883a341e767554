/** Asks before an agent gets to act without asking, and takes back what was allowed. */
import * as l10n from '../../base/l10n.ts';
import { type Grant, hasGrants } from '../../ahp/grants.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { newlyUnasked, type UnaskedQuestion, unaskedQuestion } from '../../views/session/frame/unaskedSettings.ts';
import type { ShownHost } from '../shownHost.ts';
import type { Questions } from './sessionPageServices.ts';

const NOT_KNOWN = l10n.t('Nothing was changed, because the settings are not there yet. Try again when they are shown.');

type WithConfig = Pick<SessionState, 'config'>;
type Change = Readonly<Record<string, unknown>>;

/** True when this change of its settings leaves the agent asking, or the user has agreed that it does not. */
export function agreesToUnasked(
  questions: Pick<Questions, 'choose'>,
  title: string,
  session: WithConfig | undefined,
  change: Change,
): Promise<boolean> {
  return agrees(questions, unaskedQuestion.ofSession(title), session, change);
}

/** The same of the settings of a whole host. */
export function agreesToUnaskedOnHost(
  questions: Pick<Questions, 'choose'>,
  label: string,
  host: WithConfig | undefined,
  change: Change,
): Promise<boolean> {
  return agrees(questions, unaskedQuestion.ofHost(label), host, change);
}

async function agrees(
  questions: Pick<Questions, 'choose'>,
  { question, lasts, accept }: UnaskedQuestion,
  of: WithConfig | undefined,
  change: Change,
): Promise<boolean> {
  if (!of) throw new UserError(NOT_KNOWN);
  const settings = newlyUnasked(of, change);
  if (settings.length === 0) return true;
  const what = settings.map(({ label, description }) => (description ? l10n.t`“${label}”: ${description}` : l10n.t`“${label}”`));
  // First what an Enter too many may do.
  return (await questions.choose(question, [...what, lasts].join('\n\n'), l10n.t('Keep Asking'), accept)) === accept;
}

export async function revokeGrants({ client, label }: ShownHost, session: URI, grants: Grant[]): Promise<void> {
  if (client.state.kind !== 'connected')
    throw new UserError(l10n.t`Nothing was taken back, because ${label} is not connected. Try again when it is.`);
  if (!hasGrants(client.hostMeta))
    throw new UserError(
      l10n.t`Nothing was taken back, because ${label} runs a version that cannot do it. Update it, or delete the session.`,
    );
  await client.requestOwn('tapline/revokeGrants', { session, grants });
}
