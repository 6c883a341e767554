/**
 * Which provider runs a call, and how far it is trusted. Everything here comes from this window's own bridge. The text of the host and of the
 * provider is elsewhere on the card, so that neither can pretend to be another provider.
 */
import * as l10n from '../../../base/l10n.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { ProviderIdentity } from '../../../tap/wire/trust.ts';
import { trustWords } from '../../pairing/trustWords.ts';

/** The provider of a call that this window runs. */
export interface CallProvider extends ProviderIdentity {
  /** Absent where a session is its only chat. */
  readonly chat?: string;
  readonly turnId: string;
  readonly callId: string;
}

export interface RunnerView {
  /** A codicon's name. */
  icon: string;
  /** The name of the provider; absent where no provider of this window runs the call. */
  provider?: string;
  text: string;
  /** The agent's host itself runs it, as it does most calls. */
  isHost?: true;
}

/** What this window's bridge knows of the calls of a session. */
export interface KnownCalls {
  /** Of this window; absent where it lends no tools. */
  readonly clientId?: string;
  readonly calls: ReadonlyMap<string, ProviderIdentity>;
}

/** `chat`: the URI of the one whose calls are shown. */
export function knownCalls(
  bridge: { readonly clientId: string; readonly calls: readonly CallProvider[] } | undefined,
  chat?: string,
): KnownCalls {
  if (!bridge) return { calls: new Map() };
  const inChat = bridge.calls.filter((call) => call.chat === undefined || call.chat === chat);
  return { clientId: bridge.clientId, calls: new Map(inChat.map((call) => [callKey(call.turnId, call.callId), call])) };
}

export function runnerOf(
  { clientId, calls }: KnownCalls,
  turnId: string,
  { toolCallId, contributor }: Pick<ToolCallState, 'toolCallId' | 'contributor'>,
): RunnerView {
  if (contributor === undefined) return { icon: 'server-process', text: l10n.t('Run by the agent’s host'), isHost: true };
  if (contributor.kind === 'mcp') return { icon: 'server', text: l10n.t('Run by an MCP server of the agent’s host') };
  const runner = clientOf({ contributor });
  if (runner === undefined) return { icon: 'question', text: l10n.t('It is not known who runs this') };
  if (runner !== clientId) return { icon: 'vm', text: l10n.t('Run by another program that is connected to the host') };
  const known = calls.get(callKey(turnId, toolCallId));
  if (!known) return { icon: 'question', text: l10n.t('Run by a provider of this window that is not known now') };
  return { icon: known.trust === 'external' ? 'globe' : 'plug', provider: known.provider, text: trustWords(known) };
}

/** Hosts may give a call of another turn, or of another chat, the same id. */
export function callKey(turnId: string, callId: string, chat?: string): string {
  return JSON.stringify([turnId, callId, ...(chat === undefined ? [] : [chat])]);
}

/** The chat in a key. */
export function chatOfKey(key: string): string | undefined {
  return (JSON.parse(key) as [string, string, string?])[2];
}

/** The client that runs a call; undefined where it is none. */
export function clientOf({ contributor }: Pick<ToolCallState, 'contributor'>): string | undefined {
  return contributor?.kind === 'client' && 'clientId' in contributor ? contributor.clientId : undefined;
}
