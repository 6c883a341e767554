interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>>;
}

export function bundledPackages(root: string, metafile: Metafile): string[];
export function thirdPartyNotices(folders: readonly string[]): string;
