import * as l10n from '../../../base/l10n.ts';
import { UserError } from '../../../base/errors.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import type { LendingInfo } from '../../../webviews/session/protocol.ts';

const OURS = 'Tapline';
const MAX_NAME = 100;

/** Whether a session has the tools of this window's providers, and why not. */
export type Lending =
  /** The session, the gateway or both are not known yet. */
  | { readonly kind: 'waiting'; readonly for: 'session' | 'gateway'; readonly error?: string }
  /** `tools`: of providers, without those of the gateway itself. `leftOut`: offered by providers, but switched off, new, changed, or not to be had here. */
  | { readonly kind: 'lending'; readonly tools: number; readonly leftOut: number }
  /** Only one client can lend tools, and another one does. */
  | { readonly kind: 'otherClient'; readonly name: string }
  /** The host takes no tools of clients, or not these. */
  | { readonly kind: 'refused'; readonly reason: string };

/** In one line, with the way out where there is one. */
export function lendingLine(lending: Lending): string {
  switch (lending.kind) {
    case 'waiting':
      if (lending.for === 'session') return l10n.t('Waiting for the session.');
      return lending.error === undefined
        ? l10n.t('Waiting for the tap gateway.')
        : l10n.t`The tap gateway cannot be reached: ${lending.error}`;
    case 'lending': {
      const [tools, leftOut] = [l10n.countText(lending.tools), l10n.countText(lending.leftOut)];
      if (lending.leftOut === 0)
        return l10n.plural(lending.tools, l10n.t`Lends ${tools} tool to this session.`, l10n.t`Lends ${tools} tools to this session.`);
      return l10n.plural(
        lending.tools,
        l10n.t`Lends ${tools} tool to this session; ${leftOut} left out (see Tapline: Review Tools…).`,
        l10n.t`Lends ${tools} tools to this session; ${leftOut} left out (see Tapline: Review Tools…).`,
      );
    }
    case 'otherClient':
      return l10n.t`${lenderWords(lending.name)} lends its tools to this session, so those of this window are not used. “Tapline: Lend Tools from This Window” takes over.`;
    case 'refused':
      return l10n.t`The session’s host did not take the tools of this window: ${lending.reason}`;
  }
}

/** What is said to the user who has asked for our tools here, once that is done. Throws a {@link UserError} where they are not lent. */
export function lentHere(lending: Lending): string {
  switch (lending.kind) {
    case 'lending': {
      const { tools, leftOut } = lending;
      if (tools + leftOut === 0)
        return l10n.t(
          'This window lends its tools to the session. No program has offered it one yet; those that come are lent by themselves.',
        );
      const lent = l10n.plural(
        tools,
        l10n.t`This window lends ${l10n.countText(tools)} tool to the session.`,
        l10n.t`This window lends ${l10n.countText(tools)} tools to the session.`,
      );
      if (leftOut === 0) return lent;
      const rest = l10n.plural(
        leftOut,
        l10n.t`${l10n.countText(leftOut)} is left out: “Tapline: Review Tools…” says why.`,
        l10n.t`${l10n.countText(leftOut)} are left out: “Tapline: Review Tools…” says why.`,
      );
      return l10n.sentencesText([lent, rest]);
    }
    case 'otherClient':
      throw new UserError(l10n.t`${lenderWords(lending.name)} still lends its tools to the session. Try again.`);
    case 'waiting':
      if (lending.for === 'session')
        throw new UserError(l10n.t('The host of this session is away, so nothing is lent yet. Try again when it is connected.'));
      if (lending.error === undefined)
        throw new UserError(l10n.t('The tap gateway has not named its tools yet. They are lent as soon as it does.'));
      throw new UserError(lendingLine(lending));
    case 'refused':
      throw new UserError(lendingLine(lending));
  }
}

/**
 * What the session view says under the header, and what the user can do about it. `hasProviders`: the user has programs or pages whose tools could
 * be called. Without one nothing is missed where they are not lent.
 */
export function lendingInfo(lending: Lending, hasProviders: boolean): LendingInfo | undefined {
  switch (lending.kind) {
    case 'waiting':
      if (lending.for === 'session' || lending.error === undefined) return undefined;
      return {
        tone: 'problem',
        text: l10n.t`No tools are lent to this session, because the tap gateway cannot be reached: ${oneLine(lending.error)}`,
        action: { label: l10n.t('Show the gateway'), command: 'showProviders' },
      };
    case 'lending': {
      const [tools, leftOut] = [l10n.countText(lending.tools), l10n.countText(lending.leftOut)];
      const text =
        lending.leftOut > 0
          ? l10n.plural(lending.tools, l10n.t`${tools} tool lent, ${leftOut} left out`, l10n.t`${tools} tools lent, ${leftOut} left out`)
          : l10n.plural(lending.tools, l10n.t`${tools} tool lent`, l10n.t`${tools} tools lent`);
      const action = lending.leftOut > 0 && ({ label: l10n.t('Review'), command: 'reviewTools' } as const);
      return { tone: 'fine', text, ...(action && { action }) };
    }
    case 'otherClient': {
      const text = l10n.t`${lenderWords(lending.name)} lends its tools to this session. The agent cannot call those of this window: the host takes tools from one window at a time.`;
      return hasProviders ? { tone: 'problem', text, action: lendHere } : undefined;
    }
    case 'refused': {
      const text = l10n.t`The agent cannot call the tools of this window, because the session’s host did not take them: ${oneLine(lending.reason)}`;
      return hasProviders ? { tone: 'problem', text, action: lendHere } : undefined;
    }
  }
}

const lendHere = { label: l10n.t('Lend from this window'), command: 'lendToolsHere' } as const;

/** What a window of ours is called at a host. `workspace`: its name, if it has one. */
export function windowName(workspace: string | undefined): string {
  return workspace === undefined ? OURS : `${OURS} (${workspace.slice(0, MAX_NAME)})`;
}

/** For the begin of a sentence: who a client is to the user, by the name that it has given itself. */
function lenderWords(name: string): string {
  const plain = oneLine(name);
  if (plain === OURS) return l10n.t('Another VS Code window');
  const workspace = /^Tapline \((.+)\)$/.exec(plain)?.[1];
  return workspace === undefined ? l10n.t`“${plain}”` : l10n.t`The VS Code window “${workspace}”`;
}
