/** What the token of a server of ours may be, where it is not made anew at each start. */

/** 128 random bits in base64url, which a token must have at least. */
const MIN_LENGTH = 22;

export const isToken = (text: string): boolean => text.length >= MIN_LENGTH && !/[^\x21-\x7e]/.test(text);

/** To be read after the name of a variable or a file. */
export const TOKEN_RULE = `must have ${MIN_LENGTH} characters or more, and no spaces.`;
