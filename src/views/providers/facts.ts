/** What the rows of “Providers” are drawn from. */
import * as l10n from '../../base/l10n.ts';
import type { OfferedTool, OwnerResults, StreamDump } from '../../tap/wire/owner/ownerMessages.ts';

export type GatewayHealth =
  /** `setting`: switched off. `user`: stopped. `unused`: no session has needed it yet. */
  | { readonly kind: 'off'; readonly why: 'setting' | 'user' | 'unused' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'down'; readonly error: string }
  | { readonly kind: 'up'; readonly roundTripMs: number; readonly status: OwnerResults['diagnostics'] };

/**
 * The user has to do with providers: a program or a page of theirs is there, was paired or decided about, or waits to be let in. What is part of
 * Tapline does not count.
 */
export function hasUsersProviders(gateway: GatewayHealth): boolean {
  if (gateway.kind !== 'up') return false;
  const { providers, pairings, consents, projectProviders, earlierTokens = [] } = gateway.status;
  return (
    providers.some(({ trust }) => trust !== 'internal') ||
    [pairings, consents, projectProviders, earlierTokens].some(({ length }) => length > 0)
  );
}

/** Programs that were refused with one token of an earlier gateway. */
export type EarlierToken = NonNullable<OwnerResults['diagnostics']['earlierTokens']>[number];

/**
 * The first four are what the user has switched. `new`: off, because nobody has looked at it yet. `changed`: off, because it is not the tool that
 * was allowed. `taken`: the agent has a tool of that name. `tooLarge`: the host does not take its parameters.
 */
export type ToolState = 'on' | 'off' | 'new' | 'changed' | 'taken' | 'tooLarge';

/** A session that this window has at the gateway. */
export interface WindowSession {
  readonly hostId: string;
  readonly uri: string;
  /** Its id at the gateway. */
  readonly sessionId: string;
  readonly title: string;
  /** The user looks at it. */
  readonly isForeground: boolean;
  readonly lending: 'waiting' | 'lending' | 'otherClient' | 'refused';
  /** The same in words, with the way out where there is one. */
  readonly lendingLine: string;
  readonly tools: readonly { readonly tool: OfferedTool; readonly state: ToolState }[];
  readonly streams: readonly StreamDump[];
}

export interface ProvidersFacts {
  readonly gateway: GatewayHealth;
  readonly url: string | undefined;
  readonly sessions: readonly WindowSession[];
  /** False: the user has switched all tools of the provider off. */
  isProviderOn(provider: Pick<OfferedTool, 'provider' | 'trust' | 'origin'>): boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Of a session at the gateway, which may be one of another window. */
export function sessionTitle(
  { sessions }: Pick<ProvidersFacts, 'sessions'>,
  { sessions: all }: Pick<OwnerResults['diagnostics'], 'sessions'>,
  sessionId: string,
): string {
  const own = sessions.find((session) => session.sessionId === sessionId);
  return own ? own.title : l10n.t`${all.find(({ id }) => id === sessionId)?.label ?? sessionId} (another window)`;
}
