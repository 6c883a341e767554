/** Identifies a session. Two hosts may use the same URI. */
export interface SessionRef {
  hostId: string;
  uri: string;
}

export function sameSession(a: SessionRef | undefined, b: SessionRef | undefined): boolean {
  return a?.hostId === b?.hostId && a?.uri === b?.uri;
}

/** Key for maps and storage. */
export function sessionKey({ hostId, uri }: SessionRef): string {
  return `${hostId}\n${uri}`;
}
