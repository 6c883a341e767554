/** What the user has decided about hooks and context of providers, by name. Every new gateway is told again. */
import { readRecord, type Storage } from '../bridge/storage/storage.ts';

const STORAGE_KEY = 'tapline.providerConsents';
const MAX_DECISIONS = 500;

export class ConsentMemory {
  constructor(private readonly storage: Storage) {}

  get(provider: string): boolean | undefined {
    const allow = new Map(Object.entries(readRecord(this.storage, STORAGE_KEY))).get(provider);
    return typeof allow === 'boolean' ? allow : undefined;
  }

  get providers(): string[] {
    return Object.keys(readRecord(this.storage, STORAGE_KEY));
  }

  /** What was decided elsewhere replaces what is kept here: an older answer must not be given again to the next gateway. */
  async follow(provider: string, allow: boolean | undefined): Promise<void> {
    const kept = this.get(provider);
    if (kept !== undefined && kept !== allow) await this.set(provider, allow);
  }

  /** Without `allow` it is forgotten. */
  async set(provider: string, allow: boolean | undefined): Promise<void> {
    const others = Object.entries(readRecord(this.storage, STORAGE_KEY)).filter(([name]) => name !== provider);
    const all = allow === undefined ? others : [...others, [provider, allow] as const];
    await this.storage.update(STORAGE_KEY, Object.fromEntries(all.slice(-MAX_DECISIONS)));
  }
}
