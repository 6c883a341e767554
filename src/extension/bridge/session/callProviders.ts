/* eslint-disable texts/translated -- for the model */
/**
 * The provider that each call is meant for. What the user approves for one provider must not run at another that offers a tool of the same name
 * by then.
 */
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { isSameProvider, type ProviderIdentity, trustText } from '../../../tap/wire/trust.ts';
import { type CallProvider, chatOfKey } from '../../../views/session/toolCall/callProvider.ts';
import { keyOf } from '../hosted/callKeys.ts';
import type { HostedCall, HostSession } from '../hosted/hostedSession.ts';
import type { ProviderMemory } from '../storage/providerMemory.ts';
import { CallError } from './callRelay.ts';

/** Calls whose provider is still shown when they are over; the oldest go first. */
const MAX_SHOWN = 500;

export class CallProviders {
  /** Of the calls that are open, by their keys, as their tools were offered when the call was first seen. */
  #owners = new Map<string, ProviderIdentity>();
  /** Calls whose card could not name a provider for as long as it waited. */
  #unnamed = new Set<string>();
  #shown: readonly CallProvider[] = [];

  constructor(
    private readonly host: HostSession,
    /** Of the session in this window. */
    private readonly session: string,
    private readonly memory: ProviderMemory,
  ) {}

  /** For the user: of all calls that were seen here, the newest last. Another list after each change. */
  get shown(): readonly CallProvider[] {
    return this.#shown;
  }

  /** Call it after every change of the session's state or the offered tools. */
  update(offered: readonly OfferedTool[]): void {
    const { status, calls, unknownChats } = this.host.state;
    if (status !== 'live') return;
    const mayBeOpen = (key: string) => unknownChats.size > 0 && unknownChats.has(chatOfKey(key) ?? '');
    const owners = new Map([...this.#owners].filter(([key]) => mayBeOpen(key)));
    const unnamed = new Set([...this.#unnamed].filter(mayBeOpen));
    for (const call of calls) {
      if (call.clientId !== this.host.clientId || !isOpen(call)) continue;
      const key = keyOf(call);
      const isWaiting = call.status === 'waiting';
      const wasUnnamed = this.#unnamed.has(key);
      const known = this.#owners.get(key);
      const remembered = known ?? this.memory.get(this.session, key);
      const owner = remembered ?? (wasUnnamed && !isWaiting ? undefined : offered.find(({ name }) => name === call.toolName));
      if (!owner) {
        if (isWaiting || wasUnnamed) unnamed.add(key);
        continue;
      }
      owners.set(key, owner);
      if (!known) this.#show(call, owner);
    }
    this.#owners = owners;
    this.memory.keep(this.session, owners, mayBeOpen);
    this.#unnamed = unnamed;
  }

  /** Throws a {@link CallError} for the model when the user has not approved the call for the provider that has the tool now. */
  check(call: HostedCall, tool: OfferedTool): void {
    const key = keyOf(call);
    if (this.#unnamed.has(key))
      throw new CallError(
        `The call was approved before it was known which provider has the tool ${call.toolName}, so it was not called. Call it again.`,
        'UNAUTHORIZED',
      );
    const owner = this.#owners.get(key);
    if (!owner || isSameProvider(owner, tool)) return;
    throw new CallError(
      `The call of ${call.toolName} was meant for ${nameOf(owner)}. The tool belongs to ${nameOf(tool)} now, so it was not called.`,
      'UNAUTHORIZED',
    );
  }

  #show({ chat, turnId, callId }: HostedCall, { provider, trust, origin, spawned }: ProviderIdentity): void {
    const others = this.#shown.filter((other) => other.turnId !== turnId || other.callId !== callId || other.chat !== chat);
    const call = {
      ...(chat !== undefined && { chat }),
      turnId,
      callId,
      provider,
      trust,
      ...(origin !== undefined && { origin }),
      ...(spawned && { spawned }),
    };
    this.#shown = [...others.slice(1 - MAX_SHOWN), call];
  }
}

function nameOf(identity: ProviderIdentity): string {
  return `the provider ${identity.provider} (${trustText(identity)})`;
}

function isOpen({ status }: HostedCall): boolean {
  return status === 'starting' || status === 'waiting' || status === 'running';
}
