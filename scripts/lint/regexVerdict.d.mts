export function regexProblem(source: string, flags: string): string | undefined;
export function wrongVerdict(): string | undefined;
