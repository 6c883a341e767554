/** Tells the user about new and changed tools, once for each provider and set of tools. About those of a page that they have just paired it asks at once. */
import type { Clock } from '../../../base/clock.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import type { OwnerEvent } from '../../../tap/owner/ownerClient.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { isSameProvider } from '../../../tap/wire/trust.ts';
import { byProvider, type ToolsOfOne } from './byProvider.ts';
import type { ToolSwitches } from './toolSwitches.ts';

/** A page says what it offers right after it was paired. What comes later may come while the user is at something else. */
const JUST_PAIRED_MS = 10_000;
/** The oldest are told again. */
const MAX_TOLD = 500;
/** Of one provider, as long as the window is open. */
const MAX_NOTICES = 20;

export interface NewToolsOptions {
  readonly clock: Clock;
  readonly switches: Pick<ToolSwitches, 'of'>;
  offered(): readonly OfferedTool[];
  announce(tools: ToolsOfOne): void;
  /** `code`: with which the user has paired the page. */
  ask(tools: ToolsOfOne, code: string): void;
}

interface PairedPage {
  readonly origin: string;
  readonly code: string;
  readonly at: number;
}

export class NewTools {
  readonly #told = new Set<string>();
  /** By provider. */
  readonly #notices = new Map<string, number>();
  /** Codes that wait, by the id of their pairing. */
  readonly #codes = new Map<string, { readonly origin: string; readonly code: string }>();
  #paired: PairedPage[] = [];

  constructor(private readonly options: NewToolsOptions) {}

  /** Follows the pairings. A program has no origin by which its tools could be told from those of another one. */
  heard({ event, params }: OwnerEvent): void {
    if (event === 'pairing/started' && params.origin !== undefined)
      this.#codes.set(params.pairingId, { origin: params.origin, code: params.code });
    if (event !== 'pairing/ended') return;
    const code = this.#codes.get(params.pairingId);
    this.#codes.delete(params.pairingId);
    if (code && params.outcome === 'paired') this.#paired.push({ ...code, at: this.options.clock.now() });
  }

  /** New and changed tools that are off, by their providers. */
  get waiting(): ToolsOfOne[] {
    const { switches, offered } = this.options;
    return byProvider(offered().filter((tool) => ['new', 'changed'].includes(switches.of(tool))));
  }

  /** Of one provider, as they are now. */
  waitingOf(provider: OfferedTool): ToolsOfOne | undefined {
    return this.waiting.find(([first]) => isSameProvider(first, provider));
  }

  /** Called when tools or switches have changed. */
  update(): void {
    const { clock, switches, announce, ask } = this.options;
    this.#paired = this.#paired.filter(({ at }) => clock.now() - at <= JUST_PAIRED_MS);
    for (const tools of this.waiting) {
      const [{ provider, trust, origin }] = tools;
      const who = JSON.stringify([provider, trust, origin]);
      const key = `${who} ${JSON.stringify(tools.map((tool) => [tool.name, switches.of(tool)]))}`;
      if (this.#told.has(key)) continue;
      this.#told.add(key);
      dropOldest(this.#told, MAX_TOLD);
      const notices = (this.#notices.get(who) ?? 0) + 1;
      this.#notices.set(who, notices);
      dropOldest(this.#notices, MAX_TOLD);
      // What a provider offers after that still waits in Needs You.
      if (notices > MAX_NOTICES) continue;
      const page = trust === 'external' ? this.#paired.find((one) => one.origin === origin) : undefined;
      this.#paired = this.#paired.filter((one) => one !== page);
      if (page) ask(tools, page.code);
      else announce(tools);
    }
  }
}
