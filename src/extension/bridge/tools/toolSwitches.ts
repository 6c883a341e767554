/**
 * The user's switches for providers and single tools, kept with the workspace. Tools of a paired (external) provider are off until the user
 * has seen them, and again when their description or parameters have changed since.
 */
import { remembered } from '../../../ahp/common/remembered.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import { Emitter } from '../../../base/event.ts';
import { sha256 } from '../../../base/node/sha256.ts';
import { definitionText } from '../../../tap/owner/offeredTool.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import type { ToolState } from '../../../views/providers/facts.ts';
import { readMap, type Storage } from '../storage/storage.ts';

export type ToolSwitch = Exclude<ToolState, 'taken' | 'tooLarge'>;

const STORAGE_KEY = 'tapline.toolSwitches';
/** The oldest switches are forgotten. */
const MAX_SWITCHES = 2_000;

type ProviderKey = Pick<OfferedTool, 'provider' | 'trust' | 'origin'>;

interface Switch {
  on: boolean;
  /** Of the tool as it was allowed last. */
  fingerprint?: string;
}

export class ToolSwitches {
  /** By provider, or by provider and tool. */
  readonly #switches: Map<string, Switch>;
  readonly #didChange = new Emitter<void>();
  readonly onDidChange = this.#didChange.event;
  /** Another number after each change. */
  revision = 0;

  constructor(private readonly storage: Storage) {
    this.#switches = readMap(storage, STORAGE_KEY, isSwitch);
  }

  of(tool: OfferedTool): ToolSwitch {
    const known = this.#switches.get(toolKeyOf(tool));
    if (!this.isProviderOn(tool) || known?.on === false) return 'off';
    if (known) return known.fingerprint === undefined || known.fingerprint === fingerprintOf(tool) ? 'on' : 'changed';
    return tool.trust === 'external' ? 'new' : 'on';
  }

  /**
   * The user has seen the tool as it is now, or need not see it. One that is off, by itself or with its provider, may have changed since, or
   * may never have been seen.
   */
  isReviewed(tool: OfferedTool): boolean {
    const fingerprint = this.#switches.get(toolKeyOf(tool))?.fingerprint;
    return fingerprint === undefined ? tool.trust !== 'external' : fingerprint === fingerprintOf(tool);
  }

  /** The user has allowed a tool of this name at this provider before, as it is now or otherwise. */
  wasAllowed(tool: OfferedTool): boolean {
    return this.#switches.get(toolKeyOf(tool))?.fingerprint !== undefined;
  }

  isProviderOn(provider: ProviderKey): boolean {
    return this.#switches.get(keyOf(provider))?.on !== false;
  }

  /** All tools of a provider at once. The switches of its tools stay for when it is on again. */
  async setProvider(provider: ProviderKey, on: boolean): Promise<void> {
    await this.#set([[keyOf(provider), { on }]]);
  }

  /** Those that are on may be used as they are now, because the user has seen them so. */
  async setTools(tools: readonly { tool: OfferedTool; on: boolean }[]): Promise<void> {
    await this.#set(
      tools.map(({ tool, on }) => {
        const key = toolKeyOf(tool);
        const fingerprint = on ? fingerprintOf(tool) : this.#switches.get(key)?.fingerprint;
        return [key, { on, ...(fingerprint !== undefined && { fingerprint }) }] as const;
      }),
    );
  }

  async #set(changes: readonly (readonly [string, Switch])[]): Promise<void> {
    for (const [key, value] of changes) {
      this.#switches.delete(key);
      this.#switches.set(key, value);
    }
    dropOldest(this.#switches, MAX_SWITCHES);
    this.revision++;
    this.#didChange.fire();
    await this.storage.update(STORAGE_KEY, Object.fromEntries(this.#switches));
  }
}

// Offers are never changed in place. One may have megabytes, and its switch is looked at several times for each call.

/** Providers of one name with different trust or origin have different switches, so that a page cannot use those of a program or of another page. */
const keyOf = remembered(({ trust, provider, origin }: ProviderKey) =>
  JSON.stringify([trust, provider, ...(origin === undefined ? [] : [null, origin])]),
);

const toolKeyOf = remembered(({ trust, provider, name, origin }: OfferedTool) =>
  JSON.stringify([trust, provider, name, ...(origin === undefined ? [] : [origin])]),
);

export const fingerprintOf = remembered((tool: OfferedTool) => sha256(definitionText(tool)));

function isSwitch(value: unknown): value is Switch {
  const { on, fingerprint } = (value ?? {}) as Partial<Switch>;
  return typeof on === 'boolean' && (fingerprint === undefined || typeof fingerprint === 'string');
}
