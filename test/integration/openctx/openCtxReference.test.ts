/** Our client beside the published one, at the same providers. */
import assert from 'node:assert/strict';
import { createClient, type Range } from '@openctx/client';
import fc from 'fast-check';
import { at, HttpProvider, openClient } from './openCtxProviders.ts';

const content = Array.from({ length: 6 }, (_, line) => `line ${line} of the text`).join('\n');
const uris = [
  'file:///src/a.ts',
  'file:///src/deep/b.test.ts',
  'file:///README.md',
  'https://example.com/docs/c%20d.html?q=1#f',
  'untitled:new',
  'file:///C:/x/.hidden',
];
/** None is empty: one such loses the whole provider for the published client, and only its selector for ours. */
const globs = [
  '**',
  '*',
  '**/*.ts',
  '*.md',
  'src/**',
  '/src/*.ts',
  '**/*.{ts,md}',
  '!(*.md)',
  '**/.hidden',
  'docs/c%20d.html',
  'src/a.ts',
  'example.com/**',
  '**/[ab].*',
];

const selector = fc.record(
  { path: fc.constantFrom(...globs), contentContains: fc.constantFrom('line 3', 'nothing', '') },
  { requiredKeys: [] },
);
const position = fc.record({ line: fc.integer({ min: 0, max: 5 }), character: fc.integer({ min: 0, max: 10 }) });
const range = fc
  .tuple(position, position)
  .map(([a, b]) => ((a.line - b.line || a.character - b.character) <= 0 ? { start: a, end: b } : { start: b, end: a }));
const annotation = fc.record({ title: fc.string(), range: fc.option(range, { nil: undefined }), hints: fc.boolean() });
const behaviour = fc.record({
  selectors: fc.option(fc.array(selector, { maxLength: 3 }), { nil: undefined }),
  hasAnnotations: fc.boolean(),
  annotations: fc.array(annotation, { maxLength: 6 }),
  fails: fc.constantFrom('never', 'never', 'meta', 'annotations', 'mentions', 'items'),
});
type Behaviour = typeof behaviour extends fc.Arbitrary<infer B> ? B : never;

describe('our client of OpenCtx beside the published one', function () {
  this.timeout(60_000);
  const providers: HttpProvider[] = [];
  let behaviours: Behaviour[] = [];
  before(async () => {
    for (const index of [0, 1, 2]) {
      const fail = (method: string) => {
        if (behaviours[index]?.fails === method) throw new Error('on purpose');
      };
      await serve({
        meta: () => {
          fail('meta');
          const { hasAnnotations, selectors } = behaviours[index] ?? assert.fail();
          return { name: `provider ${index}`, mentions: {}, ...(hasAnnotations && { annotations: { ...(selectors && { selectors }) } }) };
        },
        annotations: ({ params }) => {
          fail('annotations');
          return (behaviours[index]?.annotations ?? []).map(({ title, hints, range: place }) => ({
            uri: String(params?.['uri']),
            item: { title, ai: { content: title } },
            ...(place && { range: place }),
            ...(hints && { presentationHints: ['prefer-link-over-detail'] }),
          }));
        },
        mentions: ({ params }) => (fail('mentions'), [{ title: `${index} ${String(params?.['query'])}`, uri: `p:${index}` }]),
        items: ({ params }) => (fail('items'), [{ title: JSON.stringify(params) }]),
      });
    }
  });
  after(() => {
    for (const provider of providers) provider.close();
  });

  async function serve(handlers: Parameters<typeof HttpProvider.start>[0]): Promise<void> {
    const provider = await HttpProvider.start({});
    provider.respond = (response, message) => {
      const handle = handlers[message.method];
      try {
        if (!handle) throw new Error('unknown method');
        response.end(JSON.stringify({ result: handle(message) }));
      } catch (error) {
        response.end(JSON.stringify({ error: { code: 1, message: (error as Error).message } }));
      }
    };
    providers.push(provider);
  }

  function both() {
    const configured = Object.fromEntries(providers.map(({ url }, index) => [url, index === 2 ? { some: 'setting' } : true]));
    const failed = new Set<string>();
    const published = createClient({
      configuration: async () => ({ enable: true, providers: configured }),
      makeRange: (place: Range) => place,
      logger: () => undefined,
    });
    const opts = { errorHook: (provider: string) => failed.add(provider) };
    return { ours: openClient({ providers: configured }), published, opts, failed };
  }
  /** Without what only one of them says, and as JSON, which has no fields that are undefined. */
  const plain = (results: readonly object[]) =>
    JSON.parse(JSON.stringify(results.map((one) => ({ ...one, provider: undefined, providerUri: undefined })))) as unknown;
  const uriOf = (one: object) =>
    (one as { provider?: string; providerUri?: string }).provider ?? (one as { providerUri?: string }).providerUri;

  it('gives the same annotations in the same order, and fails at the same providers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(behaviour, { minLength: 3, maxLength: 3 }), fc.constantFrom(...uris), async (given, uri) => {
        behaviours = given;
        const { ours, published, opts, failed } = both();
        try {
          const { results, errors } = await ours.annotations({ uri, content });
          const expected = await published.annotations({ uri, content }, opts);
          assert.deepEqual(plain(results), plain(expected));
          assert.deepEqual(results.map(uriOf), expected.map(uriOf));
          assert.deepEqual(errors.map(({ provider }) => provider).sort(), [...failed].sort());
        } finally {
          ours.dispose();
          published.dispose();
        }
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same mentions, and the same items of one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(behaviour, { minLength: 3, maxLength: 3 }), fc.string(), async (given, query) => {
        behaviours = given.map((one) => ({ ...one, fails: one.fails === 'meta' ? ('never' as const) : one.fails }));
        const { ours, published, opts, failed } = both();
        try {
          const { results, errors } = await ours.mentions({ query });
          const expected = await published.mentions({ query }, opts);
          assert.deepEqual(plain(results), plain(expected));
          assert.deepEqual(errors.map(({ provider }) => provider).sort(), [...failed].sort());
          for (const mention of results) {
            const items = await ours.items({ mention });
            const { provider, ...sent } = mention;
            assert.deepEqual(plain(items.results), plain(await published.items({ mention: sent }, { ...opts, providerUri: provider })));
          }
        } finally {
          ours.dispose();
          published.dispose();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('differs where a range is not in the document: ours is put into it', async () => {
    const lie = { title: 'x', range: at(90, 0), hints: false };
    behaviours = [0, 1, 2].map(() => ({ selectors: undefined, hasAnnotations: true, annotations: [lie], fails: 'never' as const }));
    const { ours, published } = both();
    const lines = async (all: Promise<readonly { range?: { start: { line: number } } }[]>) => [
      ...new Set((await all).map((one) => one.range?.start.line)),
    ];
    assert.deepEqual(await lines(published.annotations({ uri: 'file:///a', content }, {})), [90]);
    assert.deepEqual(await lines(ours.annotations({ uri: 'file:///a', content }).then(({ results }) => results)), [5]);
    ours.dispose();
    published.dispose();
  });
});
