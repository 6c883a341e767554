export function packagedReadme(markdown: string, page: string, repository: string): string;
export function addressOf(manifest: { repository: { url: string } }): string;
export function isPlaceholder(address: string): boolean;
