/** How the gateway is, from a real round trip, and how that is said. */
import { said } from '../../../base/text/phrase.ts';
import * as l10n from '../../../base/l10n.ts';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { Emitter, type Event } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { OwnerClient } from '../../../tap/owner/ownerClient.ts';
import { isGatewaysOwn } from '../tools/ownProvider.ts';
import type { GatewayHealth } from '../../../views/providers/facts.ts';

const ASK_EVERY_MS = 15_000;
/** After a change that the gateway has told of. */
const ASK_SOON_MS = 500;
const ASK_TIMEOUT_MS = 5_000;
const tellsOfChange: ReadonlySet<string> = new Set(['tools/changed', 'consent/asked', 'consent/decided', 'pairing/ended']);

export class GatewayHealthWatch implements Disposable {
  #answer: GatewayHealth | undefined;
  #owner: OwnerClient | undefined;
  #listening: Disposable[] = [];
  #timer: Disposable | undefined;
  #isAsking = false;
  readonly #didChange = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#didChange.event;

  constructor(private readonly clock: Clock) {}

  /** Undefined while nothing is connected. */
  get health(): Exclude<GatewayHealth, { kind: 'off' }> | undefined {
    const state = this.#owner?.state;
    switch (state?.kind) {
      case 'connected':
        return this.#answer?.kind === 'up' || this.#answer?.kind === 'down' ? this.#answer : { kind: 'connecting' };
      case 'connecting':
        return { kind: 'connecting' };
      case 'waiting':
        return { kind: 'down', error: said(state.error) };
      default:
        return undefined;
    }
  }

  follow(owner: OwnerClient | undefined): void {
    if (owner === this.#owner) return;
    this.#stop();
    this.#owner = owner;
    if (owner) {
      this.#listening = [
        owner.onDidChangeState(() => {
          this.#answer = undefined;
          this.#askIn(0);
          this.#didChange.fire();
        }),
        owner.onEvent(({ event }) => tellsOfChange.has(event) && this.#askIn(ASK_SOON_MS)),
      ];
      this.#askIn(0);
    }
    this.#didChange.fire();
  }

  /** Asks now, not only when it is time. */
  ask(): void {
    this.#askIn(0);
  }

  dispose(): void {
    this.#stop();
    this.#didChange.dispose();
  }

  #stop(): void {
    for (const listening of this.#listening) listening.dispose();
    this.#listening = [];
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#answer = undefined;
  }

  #askIn(ms: number): void {
    this.#timer?.dispose();
    this.#timer = this.clock.setTimer(() => void this.#ask(), ms);
  }

  async #ask(): Promise<void> {
    const owner = this.#owner;
    this.#timer = undefined;
    if (owner?.state.kind !== 'connected' || this.#isAsking) return;
    this.#isAsking = true;
    const asked = this.clock.now();
    let answer: GatewayHealth;
    try {
      const status = await owner.request('diagnostics', {}, ASK_TIMEOUT_MS);
      answer = { kind: 'up', roundTripMs: this.clock.now() - asked, status };
    } catch (error) {
      answer = { kind: 'down', error: messageOf(error) };
    }
    this.#isAsking = false;
    if (owner !== this.#owner) return this.#askIn(0);
    this.#answer = answer;
    if (!this.#timer) this.#askIn(ASK_EVERY_MS);
    this.#didChange.fire();
  }
}

/** Whether the status bar has it: where the user has stopped it, or it fails; otherwise only beside what else is shown of providers. */
export function isHealthShown(health: GatewayHealth, areProvidersShown: boolean): boolean {
  switch (health.kind) {
    case 'off':
      return health.why === 'user';
    case 'down':
      return true;
    case 'connecting':
    case 'up':
      return areProvidersShown;
  }
}

export const OFF_BY_SETTING = l10n.t('The tap gateway is switched off by the setting “tapline.gateway.enabled”.');

/** Why nothing can be had of it, with the way out; undefined where a session that needs it starts it. */
export function gatewayOffLine(health: GatewayHealth): string | undefined {
  if (health.kind !== 'off' || health.why === 'unused') return undefined;
  return health.why === 'setting' ? OFF_BY_SETTING : l10n.t('The tap gateway is off in this window. “Tapline: Start Gateway” starts it.');
}

export interface HealthWords {
  text: string;
  /** Codicon. */
  icon: string;
  severity: 'none' | 'warning';
  /** One line each. */
  details: string[];
}

export function healthWords(health: GatewayHealth): HealthWords {
  switch (health.kind) {
    case 'off': {
      const why = {
        setting: l10n.t('Tap gateway: switched off in the settings'),
        user: l10n.t('Tap gateway: stopped'),
        unused: l10n.t('Tap gateway: not needed yet: no session is open'),
      }[health.why];
      return { text: l10n.t('Tap off'), icon: 'circle-slash', severity: 'none', details: [why] };
    }
    case 'connecting':
      return { text: l10n.t('Tap'), icon: 'sync', severity: 'none', details: [l10n.t('Tap gateway: connecting')] };
    case 'down':
      return { text: l10n.t('Tap'), icon: 'warning', severity: 'warning', details: [l10n.t`Tap gateway: ${health.error}`] };
    case 'up': {
      const providers = health.status.providers.filter(({ name, trust }) => !isGatewaysOwn(name, trust));
      // One that runs for several sessions has a connection for each.
      const names = new Set(providers.map(({ name, trust }) => `${trust}\n${name}`)).size;
      const tools = new Set(providers.flatMap((provider) => provider.tools.map((tool) => `${provider.name}\n${tool}`))).size;
      const pending = providers.reduce((sum, { pendingCalls }) => sum + pendingCalls, 0);
      const last = health.status.lastErrors.at(-1);
      return {
        text: l10n.plural(tools, l10n.t`${l10n.countText(tools)} tool`, l10n.t`${l10n.countText(tools)} tools`),
        icon: 'tools',
        severity: 'none',
        details: [
          l10n.t`Tap gateway ${health.status.version}: answers in ${l10n.countText(health.roundTripMs)} ms`,
          l10n.commaText([
            l10n.plural(names, l10n.t`${l10n.countText(names)} provider`, l10n.t`${l10n.countText(names)} providers`),
            l10n.plural(tools, l10n.t`${l10n.countText(tools)} tool`, l10n.t`${l10n.countText(tools)} tools`),
            l10n.plural(pending, l10n.t`${l10n.countText(pending)} running call`, l10n.t`${l10n.countText(pending)} running calls`),
          ]),
          ...(last ? [l10n.t`Last error (${last.ts}): ${[last.provider, `${last.code} ${last.message}`].filter(Boolean).join(': ')}`] : []),
        ],
      };
    }
  }
}
