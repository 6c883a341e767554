/**
 * Whether the user is shown what there is to know of providers: from the first one of their own on, or once they have asked. Until then the
 * gateway is machinery, which works out of sight.
 */
import { type GatewayHealth, hasUsersProviders } from '../../../views/providers/facts.ts';
import type { Logger } from '../../../base/log.ts';
import { keep, type Storage } from '../storage/storage.ts';

const STORAGE_KEY = 'tapline.providersShown';

export class ProvidersShown {
  #isShown: boolean;

  /** Kept for all windows. */
  constructor(
    private readonly storage: Storage,
    private readonly logger: Logger,
  ) {
    this.#isShown = storage.get(STORAGE_KEY) === true;
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** Call it with each answer of the gateway. */
  look(gateway: GatewayHealth): void {
    if (hasUsersProviders(gateway)) this.show();
  }

  /** The user has asked. */
  show(): void {
    if (this.#isShown) return;
    this.#isShown = true;
    keep(this.storage, STORAGE_KEY, true, this.logger);
  }
}
