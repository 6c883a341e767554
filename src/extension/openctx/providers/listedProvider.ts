/** What is known of each provider that the settings name. */
import type { ProviderState } from '../../../openctx/contextConnection.ts';
import type { Provider } from './findProvider.ts';

/** `waits`: for the user's word. `refused`: the user does not want it. `wrong`: it cannot be asked at all. */
export type ProviderStatus =
  ProviderState | { readonly kind: 'off' | 'waits' | 'refused' } | { readonly kind: 'wrong'; readonly message: string };

export interface ListedProvider {
  /** Path of the workspace folder. */
  readonly folder: string;
  readonly uri: string;
  readonly status: ProviderStatus;
  /** Undefined for one that is off or wrong. */
  readonly provider?: Provider;
}
