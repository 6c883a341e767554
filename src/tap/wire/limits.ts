/** Every count, size and time of the provider interface. MB means 1024 × 1024. */
const MB = 1024 * 1024;

export const Limit = {
  /** Bytes of a `tool.result`, and of any frame that is still read. */
  toolResultBytes: 5 * MB,
  /** Bytes of every other message. */
  messageBytes: 2 * MB,
  /** Bytes of a frame above which the socket closes with 1009 instead of answering. */
  frameBytes: 16 * MB,
  /** How deep JSON may be nested. */
  depth: 200,
  tools: 100,
  hookRules: 50,
  transforms: 50,
  streams: 20,
  /** Of all providers in one session. */
  sessionStreams: 200,
  filterRules: 50,
  /** States of the patterns of all filters that one peer has in a session. */
  filterStates: 30_000,
  subscriptions: 50,
  /** Entries kept of a stream; the oldest goes first. */
  streamEntries: 200,
  /** Bytes that the entries of one peer take in a session, and those of all; the oldest goes first. */
  streamBytes: 4 * MB,
  sessionStreamBytes: 16 * MB,
  /** Entries that one `stream.query` may ask for of each stream. */
  queryLast: 100,
  /** Calls that wait behind a provider's concurrency limit. */
  queuedCalls: 10,
  /** Injects that wait for a session to become idle. */
  queuedInjects: 10,
  /** Peers that have shown a token. As many programs again may be about to. */
  connections: 50,
  /** Web pages among them, and those that have not shown a token. */
  pageConnections: 20,
  /** Of one web page's origin. */
  originConnections: 10,
  /** Of a connection; answers that were asked for are not counted. Twice as many at once. */
  framesPerSecond: 1000,
  /** Units of work that a provider's patterns and schemas may take to be compiled at once: some 0.3 s. */
  compileWork: 30_000,
  compileWorkPerSecond: 1000,
  pushesPerSecond: 10,
  sessionPushesPerSecond: 50,
  /** Hello of one connection after its first. */
  rebindsPerMinute: 10,
  pairingsPerMinute: 5,
  /** Of those, what programs together may ask for, and pages together: the other kind always has one left. */
  pairingsOfKindPerMinute: 4,
  pairingsOfSitePerMinute: 2,
  pairingTries: 3,
  /** Consecutive injects of one peer without a word of the user, and of all in one session. */
  injectCycles: 3,
  sessionInjectCycles: 10,
  nameLength: 64,
  /** Characters of free text that is shown to a person. */
  textLength: 100_000,
  patternLength: 1000,
} as const;

export const Time = {
  toolTimeoutMs: 60_000,
  maxToolTimeoutMs: 60 * 60_000,
  gateMs: 5_000,
  transformMs: 2_000,
  authMs: 5_000,
  pairingMs: 120_000,
  reconnectMs: 30_000,
  /** A gateway without session owners ends after this. */
  graceMs: 30_000,
  shutdownMs: 10_000,
  pingMs: 1_000,
  /** At most one `sessions` in this time to a peer that has not said hello. */
  sessionsAgainMs: 1_000,
  /** After a cancel the provider's slot stays taken until it answers, at most this long. */
  cancelAnswerMs: 5_000,
} as const;

export const PROTOCOL_VERSION = 2;

/** On the wire. No character takes more than three bytes, so that most texts need not be counted. */
export function isLargerThan(bytes: number, text: string): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}
