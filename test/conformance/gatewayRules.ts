/** Which test proves which rule of the gateway's specifications. docs/gateway-conformance.md is made from this. */
export interface Rule {
  /** The document and where in it. */
  source: string;
  rule: string;
  /** Under the repository's root. */
  file: string;
  /** What the test is called, or for generated titles a part of the source that makes it. */
  test: string;
}

const unit = (name: string) => `src/gateway/${name}.test.ts`;
const integration = (name: string) => `test/integration/${name}.test.ts`;
const rulesOf = (source: string, rows: [rule: string, file: string, test: string][]): Rule[] =>
  rows.map(([rule, file, test]) => ({ source, rule, file, test }));

export const gatewayRules: readonly Rule[] = [
  ...rulesOf('design: where the two documents differ', [
    [
      '1: updates with a requestId are acknowledged, one in flight',
      unit('tools'),
      'are acknowledged with a rising revision where a requestId was given; one update is in flight',
    ],
    ['1: updates without one are silent and never limited', unit('tools'), 'are silent and never limited without a requestId'],
    [
      '2: `remove` makes a delta; calls in flight run on',
      unit('tools'),
      'are replaced whole, or changed by a delta where there is `remove`',
    ],
    ['2: calls to removed tools run on, new ones are NOT_FOUND', unit('tools'), 'run on when their tool is removed'],
    ['3: a set of one is as if named', unit('binding'), 'with a set of one behaves as if that one was named'],
    [
      '3: an empty set leaves the peer in AwaitHello',
      unit('binding'),
      'to no session is INVALID_SESSION, and the peer may say hello again when `sessions` comes',
    ],
    [
      '3: an external peer names its session',
      unit('binding'),
      'of an external peer needs a name; after that its token is for this session',
    ],
    [
      '4: `sessions` again at most once a second',
      unit('binding'),
      'tells a waiting peer the list at most once a second, with the newest state',
    ],
    ['4: never `sessions` to a bound peer', unit('binding'), 'never sends `sessions` to a bound peer, but sessions.updated'],
    ['5: unknown types', unit('tools'), 'an unknown type touches no call'],
    ['6: tool error codes', unit('tools'), 'keep the error of the provider; a code that is not known becomes INTERNAL, the original stays'],
    ['7: shutdown.ready', unit('shutdown'), 'waits for shutdown.ready: the peer stays, unbound, and may bind anew'],
    ['7: goodbye', unit('shutdown'), 'takes goodbye for ready and lets the peer go'],
    ['7: the deadline', unit('shutdown'), 'comes at the deadline: silent peers are closed with 1001, their calls end'],
    ['7: bound elsewhere', unit('shutdown'), 'leaves a peer that is bound elsewhere'],
    ['8: who gets a reconnect token', unit('binding'), 'gives a reconnect token for each advanced field, and for none without'],
    ['8: auth by reconnect token', unit('binding'), 'can be shown instead of a token, where its token came from'],
    [
      '8: 30 s, once, name + instance + trust',
      unit('binding'),
      'can be taken over for 30 s after the end, once, and by the same name, instance and trust alone',
    ],
    ['9: DUPLICATE_INSTANCE', unit('binding'), 'with an instance belongs to one connection'],
    ['9: a dead peer is replaced', unit('binding'), 'replaces a dead peer of the same token and name whose tools are in the way'],
    ['9: a living one is TOOL_CONFLICT', unit('binding'), 'without an instance may be had by several, as long as their tools differ'],
    ['10: late results', unit('tools'), 'time out after 60 s, or the tool’s own time; the late CANCELLED harms no other call'],
    ['11: token classes', unit('trust'), 'with a wrong token is an error and the end; with a right one it is not'],
    [
      '11: consent for the file token',
      unit('trust'),
      'of the file token: gates, transforms and context need the user’s consent for the name, once',
    ],
    ['12: sizes and counts', 'src/tap/parseMessage.test.ts', 'have sizes and counts, each PAYLOAD_TOO_LARGE'],
    ['12: the hard cap', integration('gateway'), 'answers a frame above 5 MiB, and closes at its hard cap with 1009'],
    ['13: inject waits for idle', unit('streams'), 'inject waits for an idle session and comes one at a time; too many drop the oldest'],
    ['13: ten pushes a second', unit('streams'), 'are ten a second, each provider for itself'],
    ['13: three cycles', unit('streams'), 'inject pauses a provider after three cycles until the user speaks'],
    ['14: filters over level', unit('streams'), 'go by the provider’s own filter, first match first, else by level'],
    ['15: cwd', unit('binding'), 'with a spawn token is to its own session alone, which is listed first; others have no cwd'],
    ['16: regular expressions', unit('hooks'), 'are not stalled by a pattern that backtracks without end elsewhere'],
    ['16: JSON Schemas', unit('tools'), 'survive schemas that are made to hurt'],
    ['17: the lists, not the counts', 'src/tap/parseMessage.test.ts', 'list these message types, and no others'],
    ['18: started', unit('binding'), 'of a core client: sessions, hello, acknowledged without a reconnect token, started'],
    ['18: idle', unit('streams'), 'reach those who subscribed; idle reaches all'],
  ]),
  ...rulesOf('design: names', [
    ['a bad name refuses the whole list and is named', unit('tools'), 'are refused whole when one tool is no good, and the error names it'],
  ]),
  ...rulesOf('design: what keeps strangers out', [
    ['Host', integration('gateway'), 'takes only its own names and port for Host'],
    ['Origin', integration('gateway'), 'gives a page nothing but pairing, even with the right file token'],
    ['an ext- token works from its origin alone', unit('trust'), 'of a web page works with the token of its own pairing alone'],
    ['no page, no CORS header', integration('gateway'), 'serves no page and no CORS header'],
    ['50 connections', integration('gateway'), 'has room for fifty connections'],
    ['5 s to authenticate', integration('gateway'), 'closes who does not authenticate within 5 s, and is not held up by half an upgrade'],
    [
      'tokens: files',
      integration('gatewayProcess'),
      'prints one JSON line, keeps its secrets in files for the user alone, and removes them at the end',
    ],
    ['tokens: exclusively made', integration('gatewayProcess'), 'does not write its token through a link that somebody has put there'],
    ['tokens: removed by who wrote', integration('gatewayProcess'), 'leaves a token file that another has written'],
    ['pairing: tries', unit('trust'), 'has three tries a code'],
    ['pairing: two minutes', unit('trust'), 'ends after two minutes, when the user denies it, and when the peer goes'],
    ['pairing: rate', unit('trust'), 'takes five requests a minute over the whole gateway'],
    ['pairing: through the user alone', unit('trust'), 'shows a code to the owners alone and gives a token for it'],
    ['file results', integration('gateway'), 'reads file results from the provider’s own folder alone'],
  ]),
  ...rulesOf('full interface', [
    ['connection states and legal messages', unit('connectionModel'), 'goes as the table says, whatever comes in whatever order'],
    ['capability matrix at hello', unit('trust'), "to ${what}: ${allowed.join(', ') || 'nobody'}"],
    ['capability matrix when bound', unit('trust'), "to ${what}: ${allowed.join(', ')}"],
    ['session scope', unit('trust'), 'to speak for a session that it is not bound to: nobody'],
    [
      'rebinding and its barrier',
      unit('binding'),
      'anew: the old registration is gone first, calls are cancelled, a failure leaves the peer unbound',
    ],
    ['ten hello a minute', unit('binding'), 'is limited to ten hello a minute, without losing the last'],
    ['"all" and session.ready', unit('binding'), 'to all: what is there now at once, what comes later after session.ready'],
    ['tool name collisions', unit('tools'), 'of two providers must not overlap'],
    ['reserved names', unit('tools'), 'leave `list_` and the name of another provider to the gateway'],
    ['concurrency: queue of ten', unit('tools'), 'queues ten in order and refuses the next'],
    ['multi-instance: target and list', unit('tools'), 'share one tool with a target, and get a tool that lists them'],
    ['multi-instance: routing', unit('tools'), 'are chosen by target, which they do not see, or by who was last active'],
    ['retryable', unit('tools'), 'stand in for each other when a failure is retryable, unless a target was named'],
    ['tool.progress', unit('tools'), 'report progress, cleaned'],
    ['gate: decisions', unit('hooks'), 'gate: allow, deny with the reason, context'],
    ['gate: fail closed', unit('hooks'), 'gate: closed on silence and on disconnect, open only where the rule says so'],
    ['static rules', unit('hooks'), 'deny and add context without asking anybody, by tool, arguments, provider and file'],
    ['transforms: order, protected sections', unit('hooks'), 'apply in the order of registration, protected sections last'],
    ['transforms: callback', unit('hooks'), 'call back with what is there; silence and disconnect leave it unchanged'],
    ['push levels', unit('streams'), 'keep stores, surface also shows, inject also begins a turn'],
    ['retention 200, 20 streams', unit('streams'), 'keep the newest 200 of a stream, and twenty streams'],
    ['stream access', unit('streams'), 'of others can be read by internal providers alone'],
    ['broadcast and sessionId', unit('streams'), 'of a provider for several sessions must say which, or broadcast'],
    ['gateway process model', integration('gatewayProcess'), 'is one, however many owners start it at once'],
    ['grace', integration('gatewayProcess'), 'stays while there is an owner and ends after the last'],
    ['crash recovery', integration('gatewayProcess'), 'is brought back when it was killed, and everything registers anew'],
  ]),
  ...rulesOf('core profile', [
    ['fail fast: one pending call', unit('tools'), 'because it ${what}: one pending call fails with it'],
    ['fail fast: several', unit('tools'), 'because it ${what}: several pending calls end with the connection'],
    ['disconnect', unit('tools'), 'end with DISCONNECTED when the provider goes'],
    ['UNSUPPORTED_VERSION', unit('binding'), 'refuses another protocol version and closes'],
    ['the examples run unmodified', integration('gatewayExamples'), '${title}: answers calls side by side and goes through a shutdown'],
    ['the examples: no session at connect', integration('gatewayExamples'), '${title}: with no session at connect'],
    [
      'the examples: a restart',
      integration('gatewayExamples'),
      '${title}: comes back by itself after the gateway was killed and started again',
    ],
  ]),
];
