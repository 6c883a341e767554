/** The full interface: its messages. */
import { elsewhere, type Rule, type Section, section, story } from './rule.ts';

const fields = (type: string): Rule => [`fields of ${type}`, `providerMessages: ${type}: `];
const shape = (type: string): Rule => [`fields of ${type}, and when it is sent`, `messages: ${type}: when`];
const owner = elsewhere('not the gateway’s: what the owner of the session writes; it is handed on as it came');

export const fullMessages: readonly Section[] = [
  story('Messages'),
  section('auth.pairing', {
    prose: [shape('auth.pairing'), ['the code is not in it', 'trust: shows a code to owners alone and gives a token for it']],
  }),
  section('sessions', {
    prose: [
      shape('sessions'),
      ['token after pairing alone, cwd where authorized', 'messages: sessions: when', 'binding: of an external peer needs a name'],
    ],
  }),
  section('sessions.updated', { prose: [shape('sessions.updated')] }),
  section('hello.ack', {
    prose: [shape('hello.ack')],
    rows: [
      ['reconnectToken', 'binding: gives a reconnect token for each advanced field'],
      [
        'persistDir, for local providers',
        'messages: hello.ack: when an external client says hello',
        'binding: works without a folder when none can be created',
      ],
    ],
  }),
  section('tool.call', {
    prose: [
      shape('tool.call'),
      ['arguments are checked first', 'tools: are checked against the parameters, and the model is told what is'],
    ],
  }),
  section('tool.cancel', {
    prose: [
      shape('tool.cancel'),
      [
        'at a timeout and when the session says so',
        'tools: time out after 60 s',
        'gateway: cancels a call when the owner’s signal says so',
      ],
    ],
  }),
  section('gate.check', { prose: [shape('gate.check'), ['5 s, then denied', 'hooks: gate: closed on silence']] }),
  section('transform.request', {
    prose: [
      shape('transform.request'),
      ['2 s, then unchanged', 'hooks: call back with the current text; a timeout or disconnect leaves it'],
    ],
  }),
  section('session.event', { prose: [shape('session.event'), ['to who subscribed, in its session', 'messages: stay in their session']] }),
  section('Event payload shapes', {
    rows: [
      ['user.message', 'messages: user.message reaches who subscribed'],
      ['assistant.message', 'messages: assistant.message reaches who subscribed'],
      ['tool.execution_complete', 'messages: tool.execution_complete reaches who subscribed'],
      ['assistant.intent', 'messages: assistant.intent reaches who subscribed'],
    ],
    prose: [['what is in them', owner]],
  }),
  section('session.lifecycle', {
    prose: [['always sent', 'streams: reach those who subscribed; idle reaches all']],
    rows: [
      ['started', 'messages: session.lifecycle: when a provider is bound'],
      ['idle', 'messages: session.lifecycle: when the session becomes idle'],
      ['shutdown.pending with its deadline', 'messages: session.lifecycle: when the session ends', 'shutdown: comes at the deadline'],
    ],
  }),
  section('Rebinding', {
    rows: [
      ['1: what was registered goes', 'binding: again removes the old registration first and cancels calls; a failure'],
      ['2: calls, gates and transforms in flight are cancelled', 'scope: cancels calls, gates and transforms in flight and ignores their'],
      ['3: the new hello is a fresh registration', 'binding: again removes the old registration first and cancels calls; a failure'],
      ['4: a new hello.ack with a new token', 'binding: again removes the old registration first and cancels calls; a failure'],
      ['5: a failure leaves the peer unbound', 'states: end in Unbound when a rebind fails'],
    ],
  }),
  section('stream.history', {
    prose: [shape('stream.history'), ['keys are stream@provider, the newest first', 'streams: keep stores, surface also shows']],
  }),
  story('Messages'),
  section('auth', {
    prose: [fields('auth'), ['answered by sessions or auth.pairing', 'messages: sessions: when', 'messages: auth.pairing: when']],
  }),
  section('auth.confirm', {
    prose: [
      fields('auth.confirm'),
      ['sessions, or AUTH_FAILED', 'trust: allows three tries for a code: a wrong one closes the connection, and'],
    ],
  }),
  section('hello', {
    rows: [
      ['name', 'providerMessages: hello: name is required'],
      ['protocolVersion', 'providerMessages: hello: protocolVersion is required', 'states: UNSUPPORTED_VERSION'],
      ['session', 'providerMessages: hello: session is optional', 'binding: to all: what is there now'],
      ['instance', 'providerMessages: hello: instance is optional', 'binding: with an instance belongs to one connection'],
      ['reconnectToken', 'providerMessages: hello: reconnectToken is optional', 'scope: by a reconnect token restores'],
      ['startup_context', 'providerMessages: hello: startup_context is optional', 'hooks: are removed with null; context is separate'],
      ['metadata', 'providerMessages: hello: metadata is optional', 'tools: share one tool with a target'],
      [
        'tools',
        'providerMessages: hello: tools is optional',
        'tools: time out after 60 s, or the tool’s own time',
        'toolSchema: schemas of tool parameters',
      ],
      ['hooks', 'providerMessages: hello: hooks is optional', 'scope: is in force in its session alone'],
      ['subscribe', 'providerMessages: hello: subscribe is optional', 'trust: to subscribe to all session events:'],
      ['context', 'providerMessages: hello: context is optional', 'hooks: are removed with null; context is separate'],
    ],
    prose: [['concurrency', 'providerMessages: hello: concurrency is optional']],
  }),
  section('tool.result', {
    prose: [
      fields('tool.result'),
      ['error codes', 'tools: keep the error of the provider'],
      ['retryable: another instance', 'tools: replace each other after a retryable failure, unless a target was'],
    ],
  }),
  section('tool.progress', {
    prose: [
      fields('tool.progress'),
      ['shown by the owner', 'gateway: carries a call from the owner to a provider and back, with progress', 'tools: report progress'],
    ],
  }),
  section('gate.result', { prose: [fields('gate.result'), ['allow, deny, context', 'hooks: gate: allow, deny with the reason, context']] }),
  section('transform.result', {
    prose: [fields('transform.result'), ['the new content', 'hooks: call back with the current text; a timeout or disconnect leaves it']],
  }),
  section('push', {
    rows: [
      ['stream: else the provider’s name', 'providerMessages: push: stream is optional', 'streams: keep stores, surface also shows'],
      [
        'sessionId: required where several are bound, or broadcast',
        'providerMessages: push: sessionId is optional',
        'streams: of a provider for several sessions must say which',
      ],
      ['event', 'providerMessages: push: event is required', 'providerMessages: with alternative fields need only one of them'],
      ['prompt', 'providerMessages: push: prompt is optional', 'streams: prompt is a turn of its own text'],
      ['level', 'providerMessages: push: level is required', 'streams: keep stores, surface also shows, inject also begins a turn'],
      ['metadata', 'providerMessages: push: metadata is optional', 'streams: keep stores, surface also shows'],
    ],
  }),
  section('tools.update', {
    prose: [
      fields('tools.update'),
      ['in one session or in all', 'tools: of a provider for all are acknowledged session by session, and can be changed in one'],
    ],
  }),
  section('hooks.update', {
    prose: [
      fields('hooks.update'),
      ['null takes a transform back', 'hooks: are removed with null; context is separate'],
      ['rules are replaced', 'hooks: can be changed'],
    ],
  }),
  section('context.update', {
    prose: [fields('context.update'), ['in force for the next prompt', 'hooks: are removed with null; context is separate']],
  }),
  section('filter.set', {
    prose: [fields('filter.set'), ['the first match decides', 'streams: go by the provider’s own filter, first match first']],
  }),
  section('stream.query', {
    prose: [
      fields('stream.query'),
      ['own streams with or without the name; others for internal providers', 'streams: of others can be read by internal providers alone'],
      ['sessionId where several are bound', 'streams: of a provider for several sessions must say which'],
    ],
  }),
  section('session.ready', {
    prose: [
      fields('session.ready'),
      ['joins a new session', 'scope: for all is in force in every session', 'scope: is not in a later session before session.ready'],
    ],
  }),
  section('shutdown.ready', {
    prose: [fields('shutdown.ready'), ['the session need not wait longer', 'shutdown: waits for shutdown.ready']],
  }),
  section('goodbye', { prose: [fields('goodbye'), ['ends the connection', 'shutdown: takes goodbye for ready']] }),
  section('Multi-instance providers', {
    rows: [
      ['1: name and instance are the key', 'binding: with an instance belongs to one connection'],
      ['2: one tool with a target', 'tools: share one tool with a target'],
      ['3: a tool that lists them', 'tools: share one tool with a target, and get a tool that lists them'],
      ['4: the target is called', 'tools: are chosen by target'],
      ['5: else who was last active', 'tools: are chosen by target, which is not passed on, or by the most recent'],
    ],
  }),
  section('Hook rules', {
    prose: [['evaluated in the gateway', 'hooks: deny and add context without a question, by tool, arguments, provider']],
  }),
  section('onPreToolUse rules', {
    prose: [['match by tool, arguments and provider', 'hooks: deny and add context without a question, by tool, arguments, provider']],
    rows: [
      [
        'deny',
        'hooks: deny and add context without a question, by tool, arguments, provider',
        'hooks: gate: all are asked at once, and a static deny before any',
      ],
      ['context', 'hooks: deny and add context without a question, by tool, arguments, provider'],
      ['gate, 5 s', 'hooks: gate: allow, deny with the reason, context', 'hooks: gate: closed on silence'],
    ],
  }),
  section('Transform rules', {
    prose: [['in the order of registration', 'hooks: apply in the order of registration']],
    rows: [
      ['append', 'hooks: apply in the order of registration'],
      ['prepend', 'hooks: apply in the order of registration'],
      ['replace', 'hooks: apply in the order of registration'],
      ['callback, 2 s', 'hooks: call back with the current text; a timeout or disconnect leaves it'],
    ],
  }),
  story('Summary'),
  section('Gateway → Provider', {
    prose: [['these and no others', 'parseMessage: list these message types, and no others']],
    rows: [
      'auth.pairing',
      'sessions',
      'sessions.updated',
      'hello.ack',
      'ack',
      'error',
      'tool.call',
      'tool.cancel',
      'gate.check',
      'transform.request',
      'session.event',
      'session.lifecycle',
      'stream.history',
    ].map(shape),
  }),
  section('Provider → Gateway', {
    prose: [['these and no others', 'parseMessage: list these message types, and no others']],
    rows: [
      'auth',
      'auth.confirm',
      'hello',
      'goodbye',
      'session.ready',
      'tool.result',
      'tool.progress',
      'gate.result',
      'transform.result',
      'push',
      'tools.update',
      'hooks.update',
      'context.update',
      'filter.set',
      'stream.query',
      'shutdown.ready',
    ].map(fields),
  }),
  section('Total', { prose: [['the lists count, not this number', 'parseMessage: list these message types, and no others']] }),
  story('What a minimal provider looks like'),
  section('Node.js', { prose: [['runs unmodified', 'gatewayExamples: v2.md, program 2 (Node)']] }),
  section('Browser', {
    prose: [
      ['its messages are right', 'parseMessage: may be as in the examples: a null reconnect token, a cancel answered'],
      ['runs unmodified in a browser', 'gatewayBrowser: the printed program'],
    ],
  }),
  section('Python', { prose: [['runs, its indentation restored', 'gatewayExamples: v2.md, program 3 (Python)']] }),
];
