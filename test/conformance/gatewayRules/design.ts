import { type Document, section, story } from './rule.ts';

const process = 'gatewayProcess: gateway as a daemon';

export const design: Document = {
  path: 'design/gateway.md',
  title: 'Design',
  sections: [
    story('The tap gateway'),
    section('Who is who', {
      prose: [
        [
          'in the foreground: a line that says where it is; a port that a stranger has is left to them; one for a user',
          'gatewayProcess: prints one JSON line',
          'gatewayProcess: leaves a port to the stranger who has it',
          'gatewayProcess: is one for a user',
          'gatewayProcess: refuses options that make no sense',
        ],
        ['as a daemon: on another port where a stranger has its own, and found there', `${process} takes another port where a stranger`],
        [
          'the 30 s begin anew with each owner, and at the start',
          'grace: is 30 s after the last has gone',
          'grace: ends one that nobody ever came to',
        ],
        ['at its own end providers have time to clean up', 'gatewayProcess: gives providers time to clean up when it is asked to end'],
        [
          'project providers: from tap.config.json, checked twice and started all or none',
          'tapConfig: lists providers, with what may be left out filled in',
          'tapConfig: is refused with the name of the file and of the field',
          'tapConfig: lies in the folder or in .github',
          'tapConfig: is read as a file of sensible size',
          'gatewayProjectProviders: are refused as a whole with the name of the field',
        ],
        ['project providers: their environment', 'gatewayProjectProviders: the environment of a project provider'],
        [
          'project providers: a token for one name, one session and one run',
          'gatewayProjectProviders: cannot speak under another name or for another session',
          'gatewayProjectProviders: lose their connections and their token when they are stopped',
        ],
        [
          'project providers: their output, without the token, and no more than can be shown',
          'lineReader: lines of a process',
          'gatewayProjectProviders: that print without end wait',
        ],
        [
          'project providers: started again with pauses, given up, not while the session is ending',
          'gatewayProjectProviders: are started again later and later',
          'gatewayProjectProviders: that cannot be started at all',
          'gatewayProjectProviders: are not started again while the session is ending',
        ],
        [
          'project providers: end with their session, their owner and the gateway, with all that they have started, also when it is killed',
          'gatewayProjectProviders: are killed with all that they have started',
          'gatewayProjectProviders: end when their owner goes',
          'gatewayProcess: ends the providers of projects when it ends',
          'gatewayProcess: leaves none of them behind when it is killed',
        ],
      ],
      rows: [
        [
          'one gateway for a user; a relay; ends after its last owner',
          `${process} is one, however many owners start it at once`,
          `${process} stays while there is an owner and ends after the last`,
        ],
        [
          'owners attach by a secret, bring it back, register anew',
          `${process} is brought back when it was killed`,
          'gatewayDoor: lets owners in by their secret',
        ],
        [
          'trust: internal, project (spawned, or the file token), external',
          'trust: authentication with a wrong token',
          'trust: pairing shows a code',
          'gatewayProjectProviders: run in their folder with a token of their own',
        ],
      ],
    }),
    section('Where the two documents differ', {
      rows: [
        [
          '1: with a requestId acknowledged, one in flight; without one silent and never limited',
          'tools: are acknowledged with a rising revision',
          'tools: are silent and never limited without a requestId',
        ],
        [
          '2: `remove` makes a delta; calls in flight run on',
          'tools: are replaced whole, or changed by a delta',
          'tools: run on when their tool is removed',
        ],
        [
          '3: the set of the token; one as if named; none leaves AwaitHello; external peers name theirs',
          'binding: to all: what is there now at once',
          'binding: with a set of one behaves as if that one was named',
          'binding: to no session is INVALID_SESSION',
          'binding: of an external peer needs a name',
        ],
        [
          '4: `sessions` again at most once a second, never to a bound peer',
          'binding: tells a waiting peer the list at most once a second',
          'binding: never sends `sessions` to a bound peer',
          'states: catch up with a list that has changed',
        ],
        [
          '5: unknown types keep the connection and the calls',
          'tools: an unknown type touches no call',
          'states: UNKNOWN_TYPE leaves the peer as it was',
        ],
        ['6: any error code; unknown ones are INTERNAL with the original kept', 'tools: keep the error of the provider'],
        [
          '7: shutdown.ready or goodbye; the deadline; who stays',
          'shutdown: waits for shutdown.ready',
          'shutdown: takes goodbye for ready',
          'shutdown: comes at the deadline',
          'shutdown: leaves a peer that is bound elsewhere',
          'gatewayExamples: goes through a shutdown',
        ],
        [
          '8: both shapes of hello.ack; reconnect tokens: who, how long, how often, for what',
          'messages: hello.ack: when',
          'binding: gives a reconnect token for each advanced field',
          'binding: can be taken over for 30 s after the end, once',
          'binding: cannot be taken over later than that either',
          'binding: can be shown instead of a token',
        ],
        [
          '9: DUPLICATE_INSTANCE for instances alone; a dead namesake is replaced, a living one is TOOL_CONFLICT',
          'binding: with an instance belongs to one connection',
          'binding: without an instance may be had by several',
          'binding: replaces a dead peer',
          'binding: never displaces a peer of another name or token',
        ],
        [
          '10: late results harm nobody; what was never issued fails fast',
          'tools: time out after 60 s',
          'gatewayExamples: answers a call that is pending while another times out',
          'tools: because it has an id that was never issued: one pending call fails',
          'tools: because it has an id that was never issued: several pending calls end',
        ],
        [
          '11: three kinds of tokens; consent for the file token',
          'trust: authentication with a wrong token',
          'trust: of the file token: gates, transforms and context need',
          'gatewayProcess: prints one JSON line, keeps its secrets in files',
        ],
        [
          '12: over a limit is PAYLOAD_TOO_LARGE, no schema is INVALID_JSON with what was wrong; the hard cap',
          'providerMessages: field by field',
          'gatewayFrames: answers what is larger than its message may be',
          'gatewayFrames: sends a provider a call of exactly 2 MB, and none larger',
          'tooLarge: what is too large for a provider',
        ],
        [
          '13: inject waits for idle, is bounded, ten a second, three cycles; prompt and broadcast by trust',
          'streams: inject waits for an idle session',
          'streams: are ten a second',
          'streams: inject pauses a provider after three cycles',
          'trust: to push a prompt: internal, project',
          'trust: to broadcast: internal, project',
        ],
        ['14: a filter over the level', 'streams: go by the provider’s own filter'],
        ['15: cwd of sessions of the token alone', 'scope: are listed with label, and with cwd'],
        [
          '16: no pattern stalls the gateway',
          'pattern: that cost too much are stopped together',
          'gatewayForgery: is not stalled by patterns',
          'hooks: are not stalled by a pattern',
        ],
        ['17: the lists, not the counts', 'parseMessage: list these message types, and no others'],
        [
          '18: started, idle, shutdown.pending',
          'messages: session.lifecycle: when a provider is bound',
          'messages: session.lifecycle: when the session becomes idle',
          'messages: session.lifecycle: when the session ends',
          'binding: to all: what is there now at once',
        ],
      ],
    }),
    section('Names', {
      prose: [
        [
          '1 to 64 of A-Za-z0-9_-; the whole list is refused, and the tool named',
          'tools: are refused whole when one tool is no good',
          'providerMessages: hello: tools is',
        ],
        [
          'a name of the agent’s own is TOOL_CONFLICT, also when the agent takes it later',
          'tools: are refused whole',
          'scope: gives way where the agent takes a name',
        ],
      ],
    }),
    section('What keeps strangers out', {
      prose: [
        [
          'frames a second: told, then closed (4005), while others are served; answers that were asked for do not count',
          'frameBudget: the budget of frames',
          'gatewayPeers: gateway and peers that flood',
        ],
        ['slow peers: what waits for one is bounded, then it is closed (4002)', 'gatewayPeers: gateway and peers that do not read'],
        [
          'signs of life: a ping, then closed (4004), torn down where even that is not answered',
          'gatewayPeers: gateway and peers that hang',
        ],
        ['who was cut off by these may come back', 'gatewayProviderStrangers: connects again when it was cut off'],
        [
          'log and status hold no secret, whatever peers send',
          'gatewayProcess: tells no secret in its log or its status',
          'redact: texts for the log and the status',
        ],
      ],
      rows: [
        [
          'loopback alone',
          'gatewayDoor: is on loopback alone',
          'gatewayPeers: listens on ::1 where it is asked to',
          'gatewayPeers: does not listen on ::1 otherwise',
        ],
        [
          'Host and Origin; an ext- token from its origin alone',
          'gatewayDoor: takes only its own names and port for Host',
          'gatewayDoor: gives a page of another origin nothing but pairing',
          'gatewayForgery: takes a paired token from the origin that paired alone',
        ],
        [
          'no page, no CORS, no deflate, 50 connections, 5 s, nobody is displaced by a stranger',
          'gatewayDoor: serves no page and no CORS header',
          'gatewayDoor: compresses nothing',
          'gatewayDoor: has room for fifty connections',
          'gatewayDoor: closes who does not authenticate within 5 s',
          'binding: never displaces a peer of another name or token',
        ],
        [
          'tokens: 256 random bits, in no log, error, URL or argument; files exclusive and private',
          'messages: the messages of the gateway',
          'trust: authentication with a wrong token',
          'gatewayProcess: prints one JSON line, keeps its secrets in files',
          'gatewayProcess: does not write its token through a link',
          'gatewayProcess: leaves a token file that another has written',
          'gatewayDoor: lets owners in by their secret in a header',
          'gatewayDoor: lets owners in who prove that they know the secret',
        ],
        [
          'pairing: six digits, once, two minutes, three tries, five a minute, through the user alone',
          'trust: pairing shows a code to the owners alone',
          'trust: pairing has three tries a code',
          'trust: pairing ends after two minutes',
          'trust: pairing takes five requests a minute',
          'gatewayForgery: knows a pairing code on the connection that asked, once',
        ],
        ['what providers write is cleaned and cut', 'cleanText: text of providers', 'tools: report progress, cleaned'],
        ['file results: inside, regular, of their size, in time', 'gatewayForgery: gateway against files'],
      ],
    }),
  ],
};
