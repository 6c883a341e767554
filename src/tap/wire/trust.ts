/** Who a provider is, and how far it is trusted. */
import { originText } from '../../base/text/origin.ts';

/** A provider as the gateway knows it. */
export interface ProviderIdentity {
  /** Its name. Untrusted. */
  readonly provider: string;
  readonly trust: 'internal' | 'project' | 'external';
  /** Of a paired page. Untrusted. */
  readonly origin?: string;
  /** A session has started it. */
  readonly spawned?: true;
}

/** A namesake with another trust or origin is another provider. */
export function isSameProvider(a: ProviderIdentity, b: ProviderIdentity): boolean {
  return a.provider === b.provider && a.trust === b.trust && a.origin === b.origin && a.spawned === b.spawned;
}

/** For example "program on this computer" or "paired, https://page.example". */
export function trustText({ trust, origin, spawned }: Omit<ProviderIdentity, 'provider'>): string {
  switch (trust) {
    case 'internal':
      return 'internal, part of Tapline';
    case 'project':
      return spawned ? 'program started by a session' : 'program on this computer';
    case 'external':
      return origin === undefined ? 'paired program' : `paired, ${originText(origin)}`;
  }
}
