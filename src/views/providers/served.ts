/** Which sessions a program serves, in words. */
import * as l10n from '../../base/l10n.ts';
import type { GatewayStatus } from '../../tap/wire/owner/ownerMessages.ts';
import { oneLine } from '../text/oneLine.ts';
import { namedText } from '../text/decisionLines.ts';

type Provider = GatewayStatus['providers'][number];

const NAME_LENGTH = 60;
/** Programs that are named in the header of a session. */
const NAMED = 2;

/** The programs and pages of one session, without those that are part of Tapline. */
export interface SessionPrograms {
  /** Each with what it serves, such as “dice serves all sessions”. Absent where there is none. */
  readonly serving?: string;
  /** Those whose rules about calls wait for the user's consent. */
  readonly waitingChecks: number;
}

export function sessionPrograms({ providers }: Pick<GatewayStatus, 'providers'>, sessionId: string): SessionPrograms {
  const here = providers.filter(({ trust, sessions }) => trust !== 'internal' && sessions.includes(sessionId));
  // Instances of one program are one.
  const byName = new Map(here.map((provider) => [`${provider.trust} ${provider.name}`, provider]));
  const checks = new Set(here.filter(({ awaitsConsent, wants }) => awaitsConsent && wants?.includes('hooks')).map(({ name }) => name));
  const said = [...byName.values()].map(({ name, isForAll }) =>
    isForAll ? l10n.t`${oneLine(name, NAME_LENGTH)} serves all sessions` : l10n.t`${oneLine(name, NAME_LENGTH)} serves this session`,
  );
  const more = said.length - NAMED;
  const serving = [...said.slice(0, NAMED), ...(more > 0 ? [l10n.t`${l10n.countText(more)} more`] : [])].join(' · ');
  return { ...(serving && { serving }), waitingChecks: checks.size };
}

/** For the row of a program, whose instances these are. `titleOf`: of a session at the gateway. */
export function servesWords(instances: readonly Provider[], titleOf: (sessionId: string) => string): string {
  if (instances.some(({ isForAll }) => isForAll)) return l10n.t('serves all sessions');
  const [only, ...more] = new Set(instances.flatMap(({ sessions }) => sessions));
  if (only === undefined) return l10n.t('serves no session');
  return more.length > 0
    ? l10n.t`serves ${l10n.countText(more.length + 1)} sessions`
    : l10n.t`serves ${namedText(oneLine(titleOf(only), NAME_LENGTH))}`;
}
