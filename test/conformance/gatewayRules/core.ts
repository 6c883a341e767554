import { type Document, elsewhere, type Rule, section, story } from './rule.ts';

const fields = (type: string): Rule => [`fields of ${type}`, `providerMessages: ${type}: `];
const shape = (type: string): Rule => [`fields of ${type}, and when it is sent`, `messages: ${type}: when`];
const owner = elsewhere('not the gateway’s: how an agent’s session takes a changed tool set; the gateway tells its owner (tools/changed)');
const full: Rule = ['is in the full interface', elsewhere('see there')];

export const core: Document = {
  path: 'spec/seeds/provider-interface-core.md',
  title: 'Core profile',
  sections: [
    story('Provider Interface'),
    story('Architecture'),
    section('Connection state machine', {
      rows: [
        ['AwaitAuth', 'states: AwaitAuth allows auth'],
        ['AwaitHello', 'states: AwaitHello allows hello'],
        ['Bound', 'states: Bound allows', 'binding: of a core client'],
      ],
    }),
    section('Authentication', {
      prose: [
        [
          'the file is private, and removed at the end',
          'gatewayProcess: prints one JSON line, keeps its secrets in files for the user alone, and removes them',
        ],
        ['sessions, or AUTH_FAILED and the end', 'messages: sessions: when a token was right', 'states: AUTH_FAILED ends the connection'],
      ],
      rows: [
        [
          'TAP_PROVIDER_TOKEN',
          'gatewayProjectProviders: run in their folder with a token of their own',
          'gatewayExamples: core.md, program 1 (Node) answers calls',
        ],
        [
          'the token file, unique to the running gateway',
          'gatewayProcess: prints one JSON line',
          'gatewayProcess: has new secrets at each start',
          'gatewayOwnExamples: finds the gateway and its token by itself',
        ],
      ],
    }),
    story('Messages'),
    section('auth', { prose: [fields('auth')] }),
    section('sessions', { prose: [shape('sessions')] }),
    section('hello', {
      prose: [['hello.ack, or an error', 'binding: of a core client', 'states: errors']],
      rows: [
        ['name', 'providerMessages: hello: name is required'],
        ['protocolVersion', 'providerMessages: hello: protocolVersion is required', 'binding: refuses another protocol version'],
        ['session (design 3: may be absent)', 'providerMessages: hello: session is optional', 'binding: of a core client'],
        [
          'tools',
          'providerMessages: hello: tools is optional',
          'tools: are refused as a whole when one tool is invalid, and the error names',
        ],
      ],
    }),
    section('hello.ack', {
      prose: [['without a reconnect token, with the session', 'messages: hello.ack: when a core client says hello']],
    }),
    section('tool.call', { prose: [shape('tool.call')] }),
    section('tool.result', {
      prose: [
        fields('tool.result'),
        ['error codes', 'tools: keep the error of the provider'],
        [
          'data or error',
          'providerMessages: with alternative fields need only one of them',
          'tools: because it has both data and an error',
        ],
      ],
    }),
    section('push', {
      rows: [
        ['level', 'providerMessages: push: level is required'],
        ['event, not empty', 'providerMessages: push: event is required'],
        ['stream', 'providerMessages: push: stream is optional'],
        ['sessionId must be its own', 'gatewayForgery: lets no peer act in a session that is not its own'],
        ['metadata is kept with the event', 'streams: keep stores, surface also shows'],
        ['keep', 'streams: keep stores, surface also shows, inject also begins a turn'],
        ['surface', 'streams: keep stores, surface also shows, inject also begins a turn'],
        ['inject', 'streams: keep stores, surface also shows, inject also begins a turn'],
      ],
    }),
    section('tools.update', {
      prose: [
        [
          'replaces the list, silently',
          'tools: are silent and never limited without a requestId',
          'tools: are replaced as a whole, or changed by a delta with `remove`',
        ],
        [
          'a failure keeps the list of before',
          'tools: are replaced as a whole, or changed by a delta with `remove`',
          'states: TOOL_CONFLICT',
        ],
        ['calls in flight run on', 'tools: run on when their tool is removed'],
        ['changes of one moment are told once', 'tools: reach the owner once for simultaneous changes, with a rising'],
      ],
    }),
    section('tool.cancel', { prose: [shape('tool.cancel')] }),
    section('session.lifecycle', {
      prose: [
        shape('session.lifecycle'),
        ['goodbye, or the deadline', 'shutdown: takes goodbye for ready', 'shutdown: comes at the deadline'],
      ],
    }),
    section('error', { prose: [shape('error')] }),
    section('goodbye', { prose: [fields('goodbye')] }),
    story('Protocol rules'),
    section('Forward compatibility', {
      rows: [
        ['unknown fields are ignored', 'providerMessages: unknown fields are ignored'],
        ['providers ignore unknown types', elsewhere('not the gateway’s: a provider’s; our SDK does (parseGatewayFrame)')],
        ['the gateway refuses them', 'states: UNKNOWN_TYPE leaves the peer as it was'],
      ],
    }),
    section('Version negotiation', { prose: [['UNSUPPORTED_VERSION and the end', 'states: UNSUPPORTED_VERSION ends the connection']] }),
    section('Ordering', {
      prose: [['in order on each connection', "scope: of a provider's messages is kept: an update is in force for later"]],
    }),
    section('Tool call terminal semantics', {
      rows: [
        ['1: the first result counts', 'tools: end with the first result; a second is ignored'],
        [
          '2: after a cancel what comes is ignored',
          'tools: can be cancelled; what comes after is ignored',
          'gatewayExamples: answers a call that is pending while another times out',
        ],
        ['3: DISCONNECTED, not replayed', 'tools: end with DISCONNECTED', 'scope: by a reconnect token restores'],
        [
          '4: what cannot be told fails fast: one call by its error, several by the end of the connection',
          'tools: because it is not JSON: one pending call fails',
          'tools: because it is not JSON: several pending calls end',
          'tools: because it is too large: one pending call fails',
          'tools: because it is too large: several pending calls end',
          'tools: because it has an id that was never issued',
          'tools: but its id can: only that call fails',
        ],
      ],
    }),
    section('Disconnect cleanup', {
      prose: [['tools go, calls fail', 'tools: end with DISCONNECTED', 'scope: is in force in its session alone']],
    }),
    section('Gateway crash recovery', {
      prose: [
        [
          'all is lost, and comes back',
          'gatewayProcess: is brought back when it was killed',
          'gatewayExamples: is there after the gateway was killed',
        ],
      ],
    }),
    section('Payload limits', {
      prose: [['an oversized frame cannot leave calls pending', 'tools: because it is too large']],
      rows: [
        ['a tool.result: 5 MB', 'gatewayFrames: accepts a tool.result of exactly 5 MB, and none larger'],
        [
          'others: 2 MB',
          'gatewayFrames: answers messages that are too large, and closes with 1009 above the',
          'tooLarge: what is too large for a provider',
        ],
        ['100 tools', 'providerMessages: hello: tools is'],
      ],
    }),
    section('Error codes', {
      rows: [
        'AUTH_FAILED ends the connection',
        'UNSUPPORTED_VERSION ends the connection',
        'INVALID_SESSION leaves the peer as it was',
        'TOOL_CONFLICT leaves the peer as it was',
        'PAYLOAD_TOO_LARGE leaves the peer as it was',
        'RATE_LIMITED leaves the peer as it was',
        'INVALID_JSON leaves the peer as it was',
        'UNKNOWN_TYPE leaves the peer as it was',
      ].map((rule): Rule => [rule, `states: ${rule}`]),
    }),
    section('Complete example', { prose: [['Node: runs unmodified', 'gatewayExamples: core.md, program 1 (Node)']] }),
    section('Complete example', { prose: [['Python: runs, its indentation restored', 'gatewayExamples: core.md, program 2 (Python)']] }),
    section('Message summary', {
      rows: [
        fields('auth'),
        shape('sessions'),
        fields('hello'),
        shape('hello.ack'),
        shape('tool.call'),
        fields('tool.result'),
        shape('tool.cancel'),
        fields('push'),
        fields('tools.update'),
        shape('session.lifecycle'),
        shape('error'),
        fields('goodbye'),
      ],
    }),
    section('Dynamic tool registration', {
      prose: [
        ['the owner hears of the merged set', 'tools: reach the owner once for simultaneous changes, with a rising'],
        ['the rest', owner],
      ],
    }),
    section('1. Local handler map', { prose: [['registerTools', owner]] }),
    section('2. Extension reload', { prose: [['reload', owner]] }),
    section('Gateway lifecycle', {
      prose: [
        [
          'providers come, change and go: the merged set is told',
          'tools: reach the owner once for simultaneous changes, with a rising',
          'scope: is in force in its session alone',
        ],
        ['the rest', owner],
      ],
    }),
    section('Surviving reloads', { prose: [['a singleton', owner]] }),
    section('Reload frequency', {
      prose: [['changes of one moment together', 'tools: reach the owner once for simultaneous changes, with a rising']],
    }),
    section('Caveats', {
      rows: [
        ['the reload is experimental', owner],
        ['the whole list each time', 'tools: reach the owner once for simultaneous changes, with a rising'],
        ['no acks without a requestId', 'tools: are silent and never limited without a requestId'],
      ],
    }),
    section("What's not in Core", { rows: Array.from({ length: 8 }, () => full) }),
  ],
};
