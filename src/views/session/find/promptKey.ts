/** The key of the message that began a turn, among those of its rows. */
export const PROMPT = 'prompt';
