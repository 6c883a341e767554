/** Customizations, clients, terminals and times of AHP v1 as those of AHP 1.0. */
import type { SessionActiveClient } from '../../channels/session/state.ts';
import type { TerminalClaim, TerminalInfo, TerminalLifecycle } from '../../channels/shapes/basic.ts';
import type { ClientPluginCustomization, CustomizationLoadState, PluginCustomization } from '../../channels/shapes/customizations.ts';
import { isAbsent, omitAbsent } from '../../common/reducers/reducer.ts';
import type { CustomizationRef, TerminalClaim as V1TerminalClaim } from '../common.ts';
import type { TerminalInfo as V1TerminalInfo } from '../root.ts';
import type { SessionCustomization } from '../session.ts';
import type { SessionActiveClient as V1ActiveClient } from '../toolCall.ts';
import { topSession } from '../../subagentUri.ts';
import { remembered, rememberedList } from '../../common/remembered.ts';

/** ISO 8601 of ms since the epoch. Empty where there is no such time. */
export function isoTime(time: unknown): string {
  const date = new Date(typeof time === 'number' ? time : NaN);
  return Number.isFinite(date.getTime()) ? date.toISOString() : '';
}

const upgradedPlugin = remembered(({ uri, displayName, icons, nonce }: CustomizationRef): ClientPluginCustomization =>
  omitAbsent<ClientPluginCustomization>({ type: 'plugin', id: uri, uri, name: displayName, icons, nonce }),
);
export const upgradedPlugins = rememberedList(upgradedPlugin);

export const upgradedCustomizations = rememberedList(
  remembered(({ customization, enabled, clientId, status, statusMessage }: SessionCustomization): PluginCustomization => {
    const load = isAbsent(status)
      ? undefined
      : (omitAbsent({ kind: status, message: needsMessage(status) ? (statusMessage ?? '') : undefined }) as CustomizationLoadState);
    return omitAbsent<PluginCustomization>({
      ...upgradedPlugin(customization),
      clientId,
      load,
      enablement: [{ kind: 'session', enabled }],
    });
  }),
);

function needsMessage(status: string): boolean {
  return status === 'degraded' || status === 'error';
}

export const upgradedActiveClient = remembered(({ customizations, ...client }: V1ActiveClient): SessionActiveClient => ({
  ...client,
  ...(!isAbsent(customizations) && { customizations: upgradedPlugins(customizations) }),
}));

/** Where AHP v1 names a session, the chat has the same URI. That of a subagent belongs to the session that the user started. */
export const upgradedClaim = remembered((claim: V1TerminalClaim): TerminalClaim => {
  if (claim.kind !== 'session') return claim;
  const session: unknown = claim.session;
  return { ...claim, session: typeof session === 'string' ? topSession(session) : claim.session, chat: claim.session };
});

export function lifecycleOf(exitCode: number | null | undefined): TerminalLifecycle {
  return isAbsent(exitCode) ? { status: 'running' } : { status: 'exited', exitCode };
}

export const upgradedTerminalInfo = remembered(({ exitCode, claim, ...terminal }: V1TerminalInfo): TerminalInfo => ({
  ...terminal,
  claim: upgradedClaim(claim),
  lifecycle: lifecycleOf(exitCode),
}));
