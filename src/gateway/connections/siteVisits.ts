/**
 * Limits how often the pages of one site may connect. What a page can cost before it has authenticated is small, but a page can come back
 * at once. Programs of this computer are not counted: they need no connection to cost something. An origin that the user has paired is
 * counted by itself: pages of others, on a domain where anybody gets a name, do not keep it out.
 */
import { Limit } from '../../tap/wire/limits.ts';
import { Bucket } from '../limits/bucket.ts';
import { siteOf } from '../trust/site.ts';

/** Sites that are remembered. While there are more, no further site may connect, but for those that are paired. */
const MAX_SITES = 1000;

export class SiteVisits {
  readonly #sites = new Map<string, Bucket>();

  constructor(private readonly now: () => number) {}

  /** Counts a connection if it is allowed, and says whether it is. */
  take(origin: string, isPaired = false): boolean {
    const site = isPaired ? origin : siteOf(origin);
    const bucket = this.#sites.get(site) ?? this.#added(site, isPaired);
    if (!bucket || bucket.levelAt(this.now()) < 1) return false;
    bucket.take(1);
    return true;
  }

  /** Undefined: there is no room for it. */
  #added(site: string, isPaired: boolean): Bucket | undefined {
    if (this.#sites.size >= MAX_SITES) this.#forgetIdle();
    if (this.#sites.size >= MAX_SITES && !isPaired) return undefined;
    const bucket = new Bucket(Limit.siteVisits, Limit.siteVisitsPerSecond);
    this.#sites.set(site, bucket);
    return bucket;
  }

  /** A site whose bucket is full is as one that never came. */
  #forgetIdle(): void {
    for (const [site, bucket] of this.#sites) if (bucket.levelAt(this.now()) >= Limit.siteVisits) this.#sites.delete(site);
  }
}
