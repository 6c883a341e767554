/** The full interface: from its start to the connection states. */
import { elsewhere, type Section, section, story } from './rule.ts';

const daemon = 'gatewayProcess: gateway as a daemon';

export const fullProtocol: readonly Section[] = [
  story('Provider Interface v2'),
  section('Quickstart', {
    prose: [['the messages of the happy path, in this order', 'gatewayExamples: v2.md, program 1 (Node) answers calls']],
  }),
  section('Minimal Node.js provider', { prose: [['runs unmodified', 'gatewayExamples: v2.md, program 1 (Node)']] }),
  story("What's optional", 6),
  story('The split'),
  section('Transport abstraction', {
    prose: [
      [
        'a provider in the process is treated like one on a wire',
        'scope: of the messages of a provider in the same process',
        'tapProvider: joins the first session',
      ],
    ],
  }),
  story('Multi-session model'),
  story('The problem'),
  section('The solution', { prose: [['one gateway, many owners', `${daemon} is one, however many owners start it at once`]] }),
  section('Session registry', {
    prose: [
      [
        'id, label, cwd, foreground',
        'scope: are listed with label, and with cwd',
        'binding: with a spawn token is to its own session alone, which is listed first',
      ],
    ],
  }),
  section('What happens when sessions come and go', {
    rows: [
      [
        'a new session: told to all; what its project starts is bound to it',
        'scope: that come and go are told',
        'gatewayProjectProviders: run in their folder',
      ],
      [
        'an ended session: told to all; its own providers stop; others get shutdown.pending and answer',
        'scope: that come and go are told',
        'scope: that end stop what was started for them',
        'gatewayProjectProviders: run in their folder',
        'shutdown: is announced with the deadline; calls are refused from then on, and',
        'scope: for all is in force in every session',
      ],
      ['the owner that started it goes: the gateway stays for others', `${daemon} stays while there is an owner`],
      [
        'all owners go: it ends and closes',
        `${daemon} stays while there is an owner`,
        'gatewayProcess: gives providers time to clean up',
        'shutdown: of the gateway ends all sessions and closes all connections',
      ],
      ['an external provider outlives its session and binds again', 'scope: that end leave an external provider connected'],
    ],
  }),
  section('Provider perspective', {
    rows: [
      ['`sessions` on connect', 'messages: sessions: when a token was right'],
      ['`sessions.updated` at changes', 'messages: sessions.updated: when'],
      ['a session or "all" in hello', 'binding: to all: what is there now', 'binding: of a core client'],
      ['shutdown.pending, then another session', 'shutdown: waits for shutdown.ready'],
    ],
  }),
  section('Session binding', {
    rows: [
      [
        'spawned: bound to the session that started it',
        'binding: with a spawn token is to its own session alone',
        'gatewayProjectProviders: run in their folder',
      ],
      ['external: picks a session (design 3: by name)', 'binding: of an external peer needs a name'],
      ['in the process', 'tapProvider: joins the first session and those that come later'],
    ],
  }),
  section('What "bound to a session" means', {
    rows: [
      ['tools in that session alone', 'scope: is in force in its session alone'],
      ['pushes into that session alone', 'scope: is in force in its session alone'],
      ['hook rules in that session alone', 'scope: is in force in its session alone'],
      ['transforms in that session alone', 'scope: is in force in its session alone'],
      ['"all": in every active session', 'scope: for all is in force in every session'],
    ],
  }),
  section('Provider lifecycle', {
    prose: [
      [
        'auth, sessions, hello, hello.ack, calls, goodbye or disconnect',
        'gateway: carries a call from the owner to a provider and back',
        'gateway: serves an owner everything else',
        'tools: end with DISCONNECTED',
      ],
    ],
  }),
  story('Protocol rules'),
  section('Version negotiation', {
    rows: [
      ['another version: UNSUPPORTED_VERSION and the end', 'states: UNSUPPORTED_VERSION ends the connection'],
      ['unknown fields are ignored', 'providerMessages: unknown fields are ignored'],
      [
        'unknown types do not disconnect (design 5: UNKNOWN_TYPE)',
        'states: UNKNOWN_TYPE leaves the peer as it was',
        'parseGatewayFrame: keep known fields and drop the rest',
      ],
      ['what is new and optional needs no negotiation', elsewhere('a rule for later versions of the interface')],
    ],
  }),
  section('Provider identity', {
    prose: [
      [
        'providerId: in errors, kept over a reconnect',
        'states: errors',
        'scope: by a reconnect token restores',
        'binding: again removes the old registration first and cancels calls; a failure',
      ],
    ],
  }),
  story('Authentication and trust levels'),
  section('Trust levels', {
    rows: [
      ['internal: in the process, everything', 'trust: capabilities', 'scope: of the messages of a provider in the same process'],
      ['project: by a token of its own, from the environment', 'gatewayProjectProviders: run in their folder with a token of their own'],
      ['external: paired, tools and pushes', 'trust: capabilities', 'trust: pairing shows a code'],
    ],
  }),
  section('Internal providers', { prose: [['no auth message', 'scope: of the messages of a provider in the same process']] }),
  section('Project providers', {
    prose: [
      [
        'a token for each run, for the one session',
        'gatewayProjectProviders: cannot use another name or another session',
        'binding: with a spawn token is to its own session alone',
      ],
    ],
  }),
  section('External providers', {
    rows: [
      ['1: asks to pair', 'messages: auth.pairing: when'],
      ['2: six digits, shown by the session’s owner', 'trust: shows a code to owners alone and gives a token for it'],
      ['3: the code is not sent to the provider', 'trust: shows a code to owners alone and gives a token for it'],
      [
        '4: the user types it',
        elsewhere('not the gateway’s: the provider’s own page (gatewayProvider: pairs by the code that the user types)'),
      ],
      ['5: auth.confirm', 'gateway: pairs a web page by the code that the owner shows'],
      [
        '6: `sessions` with a token, or AUTH_FAILED',
        'messages: sessions: when the code was right',
        'trust: allows three tries for a code: a wrong one closes the connection, and',
      ],
      [
        '7: the token works again until the session ends',
        'trust: with a spawn token ends with its session',
        'gatewayForgery: accepts no token of a session that has ended or of another session',
        `${daemon} is brought back`,
      ],
    ],
  }),
  section('Identity protection', {
    prose: [
      ['a reconnect token takes over and closes the old connection', 'binding: is taken over with a reconnect token'],
      [
        'without: DUPLICATE_INSTANCE, the old one stays',
        'binding: with an instance belongs to one connection',
        'gatewayForgery: accepts a reconnect token once, and only from its owner',
      ],
    ],
  }),
  section('Provider capabilities', {
    rows: [
      ['tools', 'trust: to register tools:'],
      ['pushes', 'trust: to push:'],
      ['gates', 'trust: to register hook gate rules:', 'trust: to add gates later:'],
      ['transform callbacks', 'trust: to register transform callbacks:', 'trust: to add transform callbacks later:'],
      ['static transforms', 'trust: to register static transforms (append):', 'trust: to register static transforms (replace):'],
      ['own streams', 'trust: to query its own streams:'],
      ['streams of others', 'trust: to query streams of others:'],
      ['session events', 'trust: to subscribe to tool events:', 'trust: to subscribe to all session events:'],
      ['any session, or all', 'scope: can be in any session for internal providers, in one for others'],
      ['context', 'trust: to set context:', 'trust: to set startup_context:', 'trust: to set context later:'],
    ],
  }),
  section('Protected prompt sections', {
    prose: [
      [
        'safety and identity: append alone, whoever it is',
        'trust: to append to a protected section:',
        'trust: to replace a protected section:',
        'trust: to prepend to a protected section:',
        'trust: to call back for a protected section:',
      ],
      ['they come last', 'hooks: apply in the order of registration, protected sections last'],
    ],
  }),
  section('Session IDs and correlation IDs', {
    prose: [
      ['ids are unique over everything', 'messages: have unique ids'],
      [
        'answers need no sessionId, shutdown.ready does',
        'gateway: carries a call from the owner',
        'providerMessages: shutdown.ready: sessionId is required',
      ],
    ],
    rows: [
      [
        'sessionId in every message about a session',
        'messages: tool.call: when',
        'messages: tool.cancel: when',
        'messages: gate.check: when',
        'messages: transform.request: when',
        'messages: session.event: when',
        'messages: session.lifecycle: when',
      ],
    ],
  }),
  section('Error responses', {
    prose: [
      ['code, message, replyTo, providerId, sessionId', 'messages: error: when a message is wrong', 'states: errors'],
      [
        'whatever is said, it is answered or refused',
        'fuzz: any message is answered or refused',
        'gatewayFrames: gateway and malformed frames',
      ],
    ],
  }),
  section('Error recovery guide', {
    rows: [
      [
        'AUTH_FAILED',
        'states: AUTH_FAILED ends the connection',
        'gatewayProvider: reports refusals, tries another token after a wrong one, and continues',
      ],
      [
        'UNSUPPORTED_VERSION',
        'states: UNSUPPORTED_VERSION ends the connection',
        'gatewayProviderFailures: closes for good when the gateway has another protocol version',
      ],
      ['INVALID_SESSION', 'states: INVALID_SESSION leaves the peer as it was'],
      ['DUPLICATE_INSTANCE', 'states: DUPLICATE_INSTANCE leaves the peer as it was'],
      [
        'TOOL_CONFLICT',
        'states: TOOL_CONFLICT leaves the peer as it was',
        'gatewayProvider: says hello again when the conflict is resolved',
      ],
      ['PAYLOAD_TOO_LARGE', 'states: PAYLOAD_TOO_LARGE leaves the peer as it was', 'gatewayProvider: sends nothing that is too large'],
      ['RATE_LIMITED', 'states: RATE_LIMITED leaves the peer as it was'],
      ['UNAUTHORIZED', 'states: UNAUTHORIZED leaves the peer as it was'],
      ['INVALID_JSON', 'states: INVALID_JSON leaves the peer as it was'],
      ['UNKNOWN_TYPE', 'states: UNKNOWN_TYPE leaves the peer as it was'],
    ],
  }),
  section('Update acknowledgments', {
    prose: [
      [
        'ack for each of the four updates; error with the same requestId',
        'messages: ack: when tools change',
        'messages: ack: when hooks change',
        'messages: ack: when the context changes',
        'messages: ack: when a filter is set',
        'states: TOOL_CONFLICT',
      ],
      ['one in flight for each session and type', 'tools: are acknowledged with a rising revision'],
    ],
    rows: [
      ['requestId is echoed', 'messages: ack: when'],
      ['one ack for each session', 'tools: of a provider for all are acknowledged session by session'],
      [
        'revisions rise; what was acknowledged is in force',
        'tools: are acknowledged with a rising revision',
        'scope: goes on counting revisions',
        "scope: of a provider's messages is kept: an update is in force for later",
      ],
    ],
  }),
  section('Tool concurrency', {
    prose: [
      [
        'a queue of ten in order, then RATE_LIMITED',
        'tools: queues ten in order and refuses the next',
        'tools: keeps the place of a cancelled call',
      ],
    ],
    rows: [
      ['max; without it no limit', 'tools: is unlimited by default', 'tools: queues ten in order'],
      [
        'scope: instance, provider, tool',
        'tools: counts all instances together where asked, else each for itself',
        'tools: counts by tool where asked',
      ],
    ],
  }),
  section('Tool name collisions', {
    rows: [
      ['TOOL_CONFLICT between two providers', 'tools: of two providers must not have the same tools'],
      ['instances share names', 'tools: share one tool with a target', 'tools: are never mixed across levels of trust'],
      [
        'list_ and the name of another provider',
        'tools: leave `list_` and the name of another provider to the gateway',
        "scope: does not name a meta-tool like one of the agent's tools",
      ],
    ],
  }),
  section('Terminal message ordering for tool calls', {
    rows: [
      ['the first result counts', 'tools: end with the first result; a second is ignored'],
      [
        'after a cancel nothing but CANCELLED, and that harms nobody',
        'tools: can be cancelled; what comes after is ignored',
        'tools: time out after 60 s',
      ],
      ['a lost provider: DISCONNECTED, not replayed', 'tools: end with DISCONNECTED', 'scope: by a reconnect token restores'],
    ],
  }),
  section('Gate timeout behavior', {
    prose: [
      [
        'silence and disconnect deny, unless failOpen; transforms stay as they were',
        'hooks: gate: closed on silence',
        'hooks: call back with the current text; a timeout or disconnect leaves it',
      ],
    ],
  }),
  section('Reconnect protocol', {
    rows: [
      ['1: a token in hello.ack, for 30 s', 'binding: can be taken over for 30 s after the end'],
      ['2: shown in hello', 'binding: is taken over with a reconnect token'],
      ['2: name and instance must fit', 'binding: is not taken over by a reconnect token of another name or trust'],
      ['2: the old connection is closed', 'binding: is taken over with a reconnect token'],
      ['2: session, tools and hooks are restored', 'scope: by a reconnect token restores session, tools, hooks and context'],
      ['3: calls of before fail with DISCONNECTED', 'scope: by a reconnect token restores session, tools, hooks and context'],
      ['4: after 30 s a fresh hello', 'binding: can be taken over for 30 s after the end'],
      ['5: without a token DUPLICATE_INSTANCE', 'binding: with an instance belongs to one connection'],
    ],
  }),
  section('Push loop prevention', {
    rows: [
      ['ten a second', 'streams: are ten a second, each provider for itself'],
      ['no second inject before the session is idle', 'streams: inject waits for an idle session and comes one at a time'],
      ['paused after three cycles', 'streams: inject pauses a provider after three cycles'],
    ],
  }),
  section('Stream access control', {
    rows: [
      ['own streams', 'trust: to query its own streams:'],
      [
        'those of others: internal alone',
        'streams: of others can be read by internal providers alone',
        'streams: of a provider with the same name and another token are separate: not',
      ],
      ['filters of own streams', 'trust: to filter its own stream:', 'streams: go by the provider’s own filter'],
      ['for each message', 'trust: capabilities'],
    ],
  }),
  section('Session scope enforcement', {
    prose: [
      [
        'INVALID_SESSION for every message about another session',
        'trust: to speak for a session that it is not bound to: nobody',
        'gatewayForgery: lets no peer act in a session that is not its own',
      ],
    ],
  }),
  section('Payload limits', {
    rows: [
      [
        '5 MB for a tool.result, 2 MB else',
        'parseMessage: have sizes and counts',
        'gatewayFrames: accepts a tool.result of exactly 5 MB, and none larger',
        'gatewayFrames: answers messages that are too large, and closes with 1009 above the',
        'tooLarge: what is too large for a provider',
      ],
      ['file references', 'gatewayForgery: reads files in the provider’s own folder and below'],
      [
        'path: within persistDir',
        'gatewayForgery: refuses a path outside',
        'gatewayForgery: refuses a link that leads outside',
        'gatewayForgery: refuses a way through a linked folder',
      ],
      ['mimeType is handed on', 'gatewayForgery: reads files in the provider’s own folder and below'],
      [
        'size as said',
        'gatewayForgery: refuses a file that is larger than was said',
        'gatewayForgery: refuses a file that is smaller than was said',
      ],
      ['read before the ttl', 'gatewayForgery: refuses a ttl that is over before it could be read'],
      ['none from browsers', 'gatewayForgery: reads no file of an external provider'],
      ['100 tools', 'providerMessages: hello: tools is', 'messages: hold for the sum of updates: tools, and sections with a transform'],
      ['50 hook rules', 'providerMessages: hello: hooks is', 'providerMessages: hooks.update: onPreToolUse is'],
      ['20 streams', 'messages: hold for streams, whether they were pushed to or filtered'],
      ['200 events of a stream', 'streams: keep the newest 200 of a stream'],
      ['a query reads 100', 'providerMessages: stream.query: last is', 'messages: hold for the entries of a query, the newest first'],
      ['50 connections', 'gatewayAccess: has room for fifty authenticated connections, and for another when'],
      ['5 pairings a minute', 'trust: pairing takes five requests a minute'],
      ['10 rebinds a minute', 'binding: is limited to ten further hello messages a minute'],
    ],
  }),
  section('"all" binding and session churn', {
    rows: [
      ['in all active sessions at hello', 'scope: for all is in force in every session'],
      ['in a new one after session.ready', 'scope: for all is in force in every session', 'binding: to all: what is there now at once'],
      ['gates too', 'scope: for all is in force in every session'],
      [
        'an ended session: shutdown.pending and shutdown.ready, the rest goes on',
        'scope: for all is in force in every session',
        'shutdown: leaves a peer that is bound elsewhere',
      ],
    ],
  }),
  section('Gateway process model', {
    rows: [
      ['1: the first looks for a gateway', `${daemon} is one, however many owners start it at once`],
      ['2: and starts it, detached', `${daemon} is one, however many owners start it at once`, `${daemon} stays while there is an owner`],
      ['3: others attach', `${daemon} is one, however many owners start it at once`],
      ['4: it ends 30 s after the last', `${daemon} stays while there is an owner and ends after the last`],
    ],
  }),
  section('Gateway crash recovery', {
    rows: [
      ['1: connections drop', `${daemon} is brought back when it was killed`],
      [
        '2: nothing is kept',
        'gatewayProcess: has new secrets at each start, also after a kill',
        `${daemon} is brought back when it was killed`,
      ],
      ['3: owners start a new one', `${daemon} is brought back when it was killed`],
      [
        '4: providers begin afresh',
        'gatewayExamples: is there after the gateway was killed',
        'gatewayProvider: reconnects after the gateway has ended, with everything as it was last',
      ],
      ['5: sessions are registered again', `${daemon} is brought back when it was killed`],
    ],
  }),
  section('Ordering guarantees', {
    rows: [
      [
        'each connection in order, in the process too',
        "scope: of a provider's messages is kept: an update is in force for later",
        'scope: of the messages of a provider in the same process',
      ],
      ['none across sessions', elsewhere('promises nothing')],
      ['one terminal message for each call', 'tools: end with the first result; a second is ignored', 'tools: can be cancelled'],
      ['no dispatch by a state before the ack', "scope: of a provider's messages is kept: an update is in force for later"],
      ['no dispatch of the old binding after a rebind', 'scope: sends nothing of the old binding after it has begun'],
    ],
  }),
  section('Connection states', {
    prose: [['any sequence of messages', 'connectionModel: follows the tables for any sequence of messages and events']],
    rows: [
      ['AwaitAuth', 'states: AwaitAuth allows auth'],
      ['AwaitPairing', 'states: AwaitPairing allows auth.confirm'],
      ['AwaitHello', 'states: AwaitHello allows hello'],
      ['Bound (what authenticates is legal once)', 'states: Bound allows all but what authenticates'],
      ['Rebinding', 'states: Rebinding allows nothing'],
      ['Unbound', 'states: Unbound allows hello and goodbye'],
    ],
  }),
  section('Regex execution safety', {
    rows: [
      [
        'a pattern is stopped when it takes too long (30 ms for all rules of a filter, 200 ms for all of a provider’s hooks)',
        'pattern: that cost too much are interrupted together, and work afterwards',
        'pattern: in a hook rule counts as matching',
        'gatewayForgery: is not stalled by patterns',
      ],
      [
        'args as JSON.stringify writes them',
        'hooks: deny and add context without a question, by tool, arguments, provider',
        'pattern: match anywhere in the text',
      ],
      ['filters too', 'pattern: in a filter counts as not matching'],
    ],
  }),
];
