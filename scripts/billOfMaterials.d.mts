interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly Component[];
}

export function billOfMaterials(
  folders: readonly string[],
  manifest: { name: string; version: string; license: string },
  lock: { packages: Record<string, { version?: string; integrity?: string }> },
): Bill;
