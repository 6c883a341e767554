/** Every limit and time of the provider interface. MB means 1024 × 1024. */
const MB = 1024 * 1024;

export const Limit = {
  /** Bytes of a `tool.result`, and of any frame that is read. */
  toolResultBytes: 5 * MB,
  /** Bytes of every other message. */
  messageBytes: 2 * MB,
  /** Bytes of a frame. For a larger one the socket closes with 1009. */
  frameBytes: 16 * MB,
  /** Bytes of a frame of a peer that has not authenticated, and its frames before `auth`, and again while it is paired. */
  bytesBeforeAuth: 64 * 1024,
  framesBeforeAuth: 2,
  /** Levels of nesting in JSON. */
  depth: 200,
  tools: 100,
  hookRules: 50,
  transforms: 50,
  streams: 20,
  /** Of all providers in one session. */
  sessionStreams: 200,
  filterRules: 50,
  /** States of all patterns in the filters of one peer in a session. */
  filterStates: 30_000,
  subscriptions: 50,
  /** Entries that are kept of a stream; the oldest is dropped first. */
  streamEntries: 200,
  /** Bytes of the entries of one peer in a session, and of all peers; the oldest is dropped first. */
  streamBytes: 4 * MB,
  sessionStreamBytes: 16 * MB,
  /** Entries that one `stream.query` may ask for of each stream. */
  queryLast: 100,
  /** Outcomes of calls that are held for an owner until it has made use of them, and their characters together. */
  keptOutcomes: 200,
  keptOutcomeBytes: 32 * MB,
  /** Calls of one session that an owner may come back for. */
  neededCalls: 1000,
  /** Calls that wait for a provider's concurrency limit. */
  queuedCalls: 10,
  /** Injects that wait for a session to become idle. */
  queuedInjects: 10,
  /** Emitters that are not over, of one session and of all. */
  emitters: 20,
  allEmitters: 100,
  /** Characters of a command or prompt of an emitter. */
  emitterText: 10_000,
  /** Characters of what an emitter is for. */
  emitterDescription: 1_000,
  /** Times in the list of an emitter that gets slower, and characters of one. */
  emitterIntervals: 20,
  intervalLength: 20,
  /** States of all patterns in the filter of an emitter. */
  emitterFilterStates: 5_000,
  /** Characters of a text or value that evidence names. */
  evidenceText: 4_000,
  /** Lines of the output that evidence names. */
  evidenceLines: 100,
  /** Checks of one call, of all its claims together. */
  evidenceChecks: 50,
  claims: 20,
  claimLength: 1_000,
  /** Goals and claims that are kept of a session, with what became of them; the oldest is dropped first. */
  judgements: 200,
  /** Runs of a command that an owner tells, and characters of the output of one. */
  seenCommands: 10,
  seenOutput: 50_000,
  /** The newest lines of an emitter, on which a filter is tried. */
  previewLines: 50,
  /** Lines of an emitter that wait to be injected, and those of one inject. */
  injectLines: 40,
  injectBatch: 4,
  /** Lines of all emitters of a session that are shown in its timeline. The rest are in their streams only. */
  shownLinesPerSecond: 20,
  /** Runs of an emitter for an idle session without a message of the user. */
  idleRuns: 10,
  /** Peers that have authenticated. As many programs again may be about to. */
  connections: 50,
  /** Web pages among those, and web pages that have not authenticated. */
  pageConnections: 20,
  /** Connections of one origin. */
  originConnections: 10,
  /** Connections that the pages of one site may open at once, and then in each second. */
  siteVisits: 20,
  siteVisitsPerSecond: 2,
  /** Of one connection, not counting answers that were asked for. Twice as many may come at once. */
  framesPerSecond: 1000,
  /** Units of work for patterns and schemas that a provider may have compiled at once, about 0.3 s. */
  compileWork: 30_000,
  compileWorkPerSecond: 1000,
  pushesPerSecond: 10,
  sessionPushesPerSecond: 50,
  /** `hello` messages of one connection after its first. */
  rebindsPerMinute: 10,
  pairingsPerMinute: 5,
  /** Of those, the share of programs and the share of pages, so that the other kind always has one left. */
  pairingsOfKindPerMinute: 4,
  pairingsOfSitePerMinute: 2,
  pairingTries: 3,
  /** Consecutive injects of one peer without a message of the user, and of all peers in one session. */
  injectCycles: 3,
  sessionInjectCycles: 10,
  /** Pairings, and earlier tokens with their names, that one gateway passes on to the next. */
  passedOn: 100,
  /** Tokens of earlier gateways that are known, by their hashes, and names for each. */
  earlierTokens: 5,
  earlierNames: 5,
  nameLength: 64,
  /** Characters of free text that is shown to the user. */
  textLength: 100_000,
  /** Characters of a tool's `outputSchema` as JSON. */
  outputSchemaLength: 20_000,
  patternLength: 1000,
  /** Characters of a question to the user, and of its form as JSON. */
  questionLength: 10_000,
  /** Questions of one call that have no answer yet. */
  questionsOfCall: 4,
  /** Of one call, one after the other. The rest are declined. */
  questionsInAll: 20,
} as const;

export const Time = {
  toolTimeoutMs: 60_000,
  maxToolTimeoutMs: 60 * 60_000,
  /** The longest that a question to the user stops the time limit of its call. */
  questionMs: 5 * 60_000,
  gateMs: 5_000,
  transformMs: 2_000,
  authMs: 5_000,
  pairingMs: 120_000,
  reconnectMs: 30_000,
  /** A gateway without session owners ends after this time, and so do the calls of an owner that has gone. */
  graceMs: 30_000,
  /** What the user has let in is passed on to a gateway that is there again within this time. */
  passOnMs: 5_000,
  shutdownMs: 10_000,
  pingMs: 1_000,
  /** A peer that has not said hello gets at most one `sessions` in this time. */
  sessionsAgainMs: 1_000,
  /** After a cancel the place of the call stays taken until the provider answers, for at most this time. */
  cancelAnswerMs: 5_000,
} as const;

export const PROTOCOL_VERSION = 2;

/** Whether the text has more than this many bytes in UTF-8. No character takes more than three bytes, so most texts need not be encoded. */
export function isLargerThan(bytes: number, text: string): boolean {
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}
