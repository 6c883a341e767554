/** Ids of new turns and messages. */
export function newId(): string {
  return crypto.randomUUID();
}
