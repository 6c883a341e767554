export const regexExceptions: Readonly<Record<string, readonly { code: string; reason: string }[]>>;
