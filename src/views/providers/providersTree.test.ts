import assert from 'node:assert/strict';
import type { OfferedTool, OwnerResults } from '../../tap/wire/owner/ownerMessages.ts';
import type { ProvidersFacts, ToolState, WindowSession } from './facts.ts';
import { spokenRow } from '../tree/treeRow.ts';
import type { ProvidersNode } from './node.ts';
import { providersSummary, providersTree } from './providersTree.ts';

type Status = OwnerResults['diagnostics'];

const NOW = Date.parse('2026-11-22T12:00:00Z');
const status = (fields: Partial<Status> = {}): Status => ({
  version: '1.0.0',
  pid: 7,
  uptimeMs: 1,
  sessions: [{ id: 'other', label: 'Theirs', idle: true, ending: false, tools: 0, providers: [], queuedInjects: 0, droppedInjects: 0 }],
  providers: [],
  pairings: [],
  consents: [],
  calls: [],
  connections: 1,
  queuedCalls: 0,
  counters: {},
  lastErrors: [],
  projectProviders: [],
  ...fields,
});
const provider = (fields: Partial<Status['providers'][number]>): Status['providers'][number] => ({
  id: 'p-1',
  name: 'ci',
  trust: 'project',
  sessions: ['a'],
  tools: ['build'],
  pendingCalls: 0,
  needsConsent: false,
  awaitsConsent: false,
  ...fields,
});
const tool = (fields: Partial<OfferedTool> = {}): OfferedTool => ({
  name: 'build',
  description: 'Builds it',
  parameters: { type: 'object' },
  provider: 'ci',
  trust: 'project',
  timeoutMs: 60_000,
  ...fields,
});
const session = (fields: Partial<WindowSession> = {}): WindowSession => ({
  hostId: 'host',
  uri: 'demo:/1',
  sessionId: 'a',
  title: 'Fix the build',
  isForeground: true,
  lending: 'lending',
  lendingLine: 'Lends 1 tool to this session.',
  tools: [{ tool: tool(), state: 'on' }],
  streams: [],
  ...fields,
});
const facts = (fields: Partial<ProvidersFacts> & { status?: Partial<Status> } = {}): ProvidersFacts => ({
  gateway: { kind: 'up', roundTripMs: 3, status: status(fields.status) },
  url: 'ws://127.0.0.1:9400',
  sessions: [session()],
  isProviderOn: () => true,
  now: NOW,
  ...fields,
});

/** All rows as "label | description", indented. */
function drawn(nodes: readonly ProvidersNode[], depth = 0): string[] {
  return nodes.flatMap(({ label, description, children, checkbox }) => [
    `${'  '.repeat(depth)}${checkbox ? (checkbox.isOn ? '[x] ' : '[ ] ') : ''}${label}${description ? ` | ${description}` : ''}`,
    ...drawn(children ?? [], depth + 1),
  ]);
}
function find(nodes: readonly ProvidersNode[], label: string): ProvidersNode {
  const all = (rows: readonly ProvidersNode[]): ProvidersNode[] => rows.flatMap((row) => [row, ...all(row.children ?? [])]);
  const found = all(nodes).find((row) => row.label === label);
  assert.ok(found, `no row ${label}`);
  return found;
}

describe('the rows of “Providers”', () => {
  it('is empty while the gateway is off, so that the view can say how to begin', () => {
    for (const why of ['setting', 'user', 'unused'] as const) assert.deepEqual(providersTree(facts({ gateway: { kind: 'off', why } })), []);
  });

  it('says why the gateway cannot be reached and what to do, and still shows the sessions', () => {
    const tree = providersTree(
      facts({ gateway: { kind: 'down', error: 'refused' }, sessions: [session({ lending: 'waiting', lendingLine: 'Waiting.' })] }),
    );
    assert.deepEqual(drawn(tree), [
      'Gateway | cannot be reached: refused',
      'Sessions of this window | 1 session',
      '  Fix the build | in front · Waiting.',
    ]);
    assert.match(tree[0]?.tooltip ?? '', /You can restart the gateway, or look at its log/);
    assert.deepEqual(drawn(providersTree(facts({ gateway: { kind: 'connecting' }, sessions: [] }))), [
      'Gateway | connecting',
      'Sessions of this window | none is open',
    ]);
  });

  it('lists providers with trust, origin, instances and tools, the gateway’s own last', () => {
    const page = { name: 'page', trust: 'external', tools: ['title'], pairing: 'paired-1' };
    const tree = providersTree(
      facts({
        status: {
          providers: [
            provider({ id: 'p-0', name: 'tap', trust: 'internal', tools: [] }),
            provider({}),
            provider({ ...page, id: 'p-2', instance: 'tab-1', metadata: { title: 'Shop' } }),
            provider({ ...page, id: 'p-3', instance: 'tab-2', pendingCalls: 2 }),
          ],
          pairings: [
            { id: 'paired-1', origin: 'http://shop.example', name: 'page', connected: true },
            { id: 'paired-2', origin: 'http://gone.example', name: 'gone', connected: false },
          ],
        },
        sessions: [
          session({
            tools: [
              { tool: tool(), state: 'off' },
              { tool: tool({ name: 'title', provider: 'page', trust: 'external', origin: 'http://shop.example' }), state: 'new' },
            ],
          }),
        ],
      }),
    );
    assert.deepEqual(drawn(tree.slice(1, -1)), [
      '[x] ci | program on this computer · serves “Fix the build”',
      '  [ ] build | off · Builds it',
      '[x] page | paired, http://shop.example · 1 tool to review · serves “Fix the build”',
      '  tab-1 | instance · Shop · 0 running calls',
      '  tab-2 | instance · 2 running calls',
      '  [ ] title | new, off until you allow it · Builds it',
      '[x] tap | internal, part of Tapline',
      'gone | paired, http://gone.example · not connected',
    ]);
    assert.deepEqual(
      [find(tree, 'page').context, find(tree, 'gone').context, find(tree, 'ci').context],
      ['provider paired', 'provider paired', 'provider'],
    );
    assert.deepEqual(find(tree, 'page').subject, {
      kind: 'provider',
      provider: 'page',
      trust: 'external',
      origin: 'http://shop.example',
      pairings: ['paired-1'],
    });
  });

  it('has a row for each origin of pages with one name, with its own tools, and shows origins that no browser sends as such', () => {
    const page = (fields: Partial<Status['providers'][number]>) => provider({ name: 'page', trust: 'external', ...fields });
    const title = (origin: string, state: ToolState) => ({
      tool: tool({ name: 'title', provider: 'page', trust: 'external', origin }),
      state,
    });
    const odd = 'https://a.example\u202e · part of Tapline';
    const tree = providersTree(
      facts({
        status: {
          providers: [
            page({ id: 'p-1', pairing: 'paired-1' }),
            page({ id: 'p-2', pairing: 'paired-2' }),
            page({ id: 'p-3', pairing: 'paired-3' }),
          ],
          pairings: ['https://a.example', 'https://b.example', odd].map((origin, at) => ({
            id: `paired-${at + 1}`,
            origin,
            name: 'page',
            connected: true,
          })),
        },
        sessions: [
          session({ tools: [title('https://a.example', 'off')] }),
          session({ sessionId: 'b', tools: [title('https://b.example', 'on')] }),
        ],
        isProviderOn: ({ origin }) => origin !== odd,
      }),
    );
    assert.deepEqual(drawn(tree.slice(1, -1)), [
      '[x] page | paired, https://a.example · serves “Fix the build”',
      '  [ ] title | off · Builds it',
      '[x] page | paired, https://b.example · serves “Fix the build”',
      '  [x] title | Builds it',
      '[ ] page | paired, the unusual origin "https://a.example[U+202E] [U+00B7] part of Tapline" · off · serves “Fix the build” · lends to no session of this window',
    ]);
    const subjects = tree.slice(1, -1).map(({ subject }) => subject?.kind === 'provider' && subject.pairings.join());
    assert.deepEqual(subjects, ['paired-1', 'paired-2', 'paired-3']);
  });

  it('says of each tool how it stands, and shows no switch where its provider is off', () => {
    const rows = (state: ToolState, isOn = true) =>
      drawn(
        providersTree(
          facts({
            status: { providers: [provider({ isForAll: true })] },
            sessions: [session({ tools: [{ tool: tool(), state }] })],
            isProviderOn: () => isOn,
          }),
        ),
      )
        .filter((line) => /\b(ci|build) \|/.test(line) && !line.includes('Fix'))
        .map((line) => line.trim());
    assert.deepEqual(rows('on'), ['[x] ci | program on this computer · serves all sessions', '[x] build | Builds it']);
    assert.deepEqual(rows('changed'), [
      '[x] ci | program on this computer · 1 tool to review · serves all sessions',
      '[ ] build | changed since you allowed it, off until you allow it again · Builds it',
    ]);
    assert.deepEqual(rows('taken')[1], '[x] build | left out: the agent has a tool of that name itself · Builds it');
    assert.deepEqual(rows('tooLarge')[1], '[x] build | left out: its parameters are too large for the host · Builds it');
    assert.deepEqual(rows('off', false), [
      '[ ] ci | program on this computer · off · serves all sessions',
      'build | off with its provider · Builds it',
    ]);
  });

  it('shows a tool that sessions are offered alike once, and different ones of one name each', () => {
    const other = tool({ description: 'Builds, and deploys' });
    const tree = providersTree(
      facts({
        status: { providers: [provider({})] },
        sessions: [
          session(),
          session({
            sessionId: 'b',
            tools: [
              { tool: tool(), state: 'on' },
              { tool: other, state: 'changed' },
            ],
          }),
        ],
      }),
    );
    assert.deepEqual(
      find(tree, 'ci').children?.map(({ tooltip, checkbox }) => [/and deploys/.test(tooltip ?? ''), checkbox?.isOn]),
      [
        [false, true],
        [true, false],
      ],
    );
  });

  it('asks for a provider where there is none, and says of one that it lends to other windows', () => {
    const none = providersTree(facts({ status: { providers: [provider({ name: 'tap', trust: 'internal' })] }, sessions: [] }));
    assert.equal(find(none, 'No program lends its tools').action, 'copyProvider');
    const tree = providersTree(facts({ status: { providers: [provider({})] }, sessions: [] }));
    assert.match(find(tree, 'ci').description ?? '', /lends to no session of this window/);
  });

  it('shows consent at the providers that need it, and at no namesake', () => {
    const consents: Status['consents'] = [{ provider: 'ci', decision: 'asked', wants: ['hooks', 'context'] }];
    const rows = (fields: Partial<Status['providers'][number]>) =>
      find(providersTree(facts({ status: { providers: [provider(fields)], consents } })), 'ci');
    const [consent] = rows({ needsConsent: true }).children ?? [];
    assert.deepEqual(
      [consent?.label, consent?.description, consent?.context],
      ['hooks and context', 'waits for your consent', 'consent asked'],
    );
    assert.equal(
      rows({ trust: 'external' }).children?.some(({ context }) => context?.startsWith('consent')),
      false,
    );
  });

  it('shows streams, running calls with their age, project providers and errors with what to do', () => {
    const tree = providersTree(
      facts({
        sessions: [
          session({
            isForeground: false,
            streams: [
              {
                provider: 'ci',
                stream: 'builds',
                entries: [{ ts: '2026-11-22T11:55:00Z', event: 'red', level: 'keep', metadata: { n: 1 } }],
              },
            ],
          }),
        ],
        status: {
          calls: [
            { sessionId: 'a', tool: 'build', provider: 'ci', waits: false, ageMs: 12_300 },
            { sessionId: 'other', tool: 'build', provider: 'ci', waits: true, ageMs: 130_000 },
          ],
          projectProviders: [
            { sessionId: 'a', name: 'watcher', state: 'running', pid: 42 },
            { sessionId: 'a', name: 'broken', state: 'failed', error: 'exit code 1' },
          ],
          lastErrors: [{ ts: '2026-11-22T11:59:00Z', code: 'PROVIDER_ENDED', message: 'exit code 1', provider: 'broken' }],
        },
      }),
    );
    const rows = drawn(tree);
    const expected = [
      '  Fix the build | Lends 1 tool to this session.',
      '    ci: builds | last event 5m',
      '      red | keep · 5m',
      'Running calls | 2 calls',
      '  build | ci · for 12 s · Fix the build',
      '  build | ci · waits for its provider, for 2 min · Theirs (another window)',
      'Project providers | 2 programs',
      '  watcher | running as process 42 · Fix the build',
      '  broken | failed, and is not started again · exit code 1 · Fix the build',
      'Last errors | broken PROVIDER_ENDED',
    ];
    for (const line of expected) assert.ok(rows.includes(line), `${line}\nin\n${rows.join('\n')}`);
    assert.match(rows.at(-1) ?? '', /broken: exit code 1 \| PROVIDER_ENDED · Look at its log/);
  });

  it('shows texts of strangers on one line of bounded length, and names what cannot be seen', () => {
    const nasty = 'Reads\u202e your\nmail \u200b';
    const tree = providersTree(
      facts({
        status: { providers: [provider({})], lastErrors: [{ ts: 'x', code: 'X', message: 'y'.repeat(100_000) }] },
        sessions: [session({ title: '', tools: [{ tool: tool({ description: nasty.repeat(5_000) }), state: 'on' }] })],
      }),
    );
    const build = find(tree, 'build');
    assert.ok((build.description?.length ?? 0) <= 301);
    assert.doesNotMatch(build.description ?? '', /[\n\u202e]/);
    assert.match(build.tooltip ?? '', /Reads\[U\+202E\] your\nmail \[U\+200B\]/);
    assert.match(build.tooltip ?? '', /more characters\)/);
    assert.ok(drawn(tree).every((line) => line.length < 700));
    assert.ok(find(tree, '(no name)'));
    assert.equal(
      spokenRow({ label: 'build', description: 'Builds it', checkbox: { isOn: false, says: '' } }),
      'build, Builds it, switched off',
    );
  });

  it('gives every row an id of its own', () => {
    const twice = [provider({}), provider({ id: 'p-2' }), provider({ id: 'p-3', trust: 'external' })];
    const call = { sessionId: 'a', tool: 'build', provider: 'ci', waits: false, ageMs: 0 };
    const entry = { ts: 'x', event: 'e', level: 'keep' };
    const tree = providersTree(
      facts({
        status: { providers: twice, calls: [call, call], lastErrors: [1, 2].map(() => ({ ts: 'x', code: 'X', message: 'y' })) },
        sessions: [session({ streams: [{ provider: 'ci', stream: 's', entries: [entry, entry] }] })],
      }),
    );
    const ids = (nodes: readonly ProvidersNode[]): string[] => nodes.flatMap(({ id, children }) => [id, ...ids(children ?? [])]);
    assert.equal(new Set(ids(tree)).size, ids(tree).length);
  });
});

describe('the summary of “Providers”', () => {
  it('counts the providers, and what of them waits for the user', () => {
    const asked: Partial<Status> = {
      providers: [provider({}), provider({ id: 'p-2', name: 'page', trust: 'external' })],
      consents: [
        { provider: 'ci', decision: 'asked', wants: ['hooks'] },
        { provider: 'old', decision: 'denied', wants: [] },
      ],
      earlierTokens: [{ id: 'a', names: [] }],
    };
    const sessions = [session({ tools: [{ tool: tool({ provider: 'page', trust: 'external' }), state: 'new' }] })];
    assert.deepEqual(providersSummary(facts({ status: asked, sessions })), { text: '2 providers', needsYou: 3 });
    assert.equal(
      providersSummary(facts({ status: asked, sessions, isProviderOn: () => false })).needsYou,
      2,
      'what is off waits for nobody',
    );
    assert.deepEqual(providersSummary(facts({ status: { providers: [provider({})] } })), { text: '1 provider', needsYou: 0 });
  });

  it('says how it stands with the gateway where that is not known', () => {
    assert.deepEqual(providersSummary(facts({ gateway: { kind: 'off', why: 'unused' } })), { text: 'off', needsYou: 0 });
    assert.deepEqual(providersSummary(facts({ gateway: { kind: 'down', error: 'x' } })), { text: 'not connected', needsYou: 0 });
  });
});
