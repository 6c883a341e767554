/** Codicons' styles without the icons that no script names. */
export function iconsNamedIn(styles: string, scripts: readonly string[]): string;
