import assert from 'node:assert/strict';
import type { HookDecision, OfferedTool, ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import { nullLogger } from '../../base/log.ts';
import { GatewayProvider } from './gatewayProvider.ts';

const tool = (name: string, fields: Partial<OfferedTool> = {}): OfferedTool => ({
  ...{ name, description: '', parameters: {}, provider: 'issues', trust: 'project', timeoutMs: 1_000 },
  ...fields,
});
const resource = { uri: 'file:///a.ts', content: 'text' };

describe('a provider of the gateway, as a provider of context', () => {
  let tools: OfferedTool[] | Error;
  let decision: HookDecision;
  let outcome: ToolOutcome;
  let calls: unknown[];
  let warnings: string[];
  let provider: GatewayProvider;
  const { signal } = new AbortController();
  beforeEach(() => {
    tools = [
      tool('openctx_items'),
      tool('issues_openctx_mentions'),
      tool('openctx_mention_items'),
      tool('openctx_items', { provider: 'b' }),
    ];
    decision = { decision: 'allow', context: [] };
    outcome = { ok: true, data: [] };
    calls = [];
    warnings = [];
    provider = new GatewayProvider(
      'issues',
      {
        evaluateHooks: async () => decision,
        call: async (name, args, _signal, _progress, of) => {
          calls.push([name, args, of?.provider]);
          return outcome;
        },
      },
      {
        list: async () => {
          if (tools instanceof Error) throw tools;
          return tools;
        },
      },
      { ...nullLogger, warn: (text) => warnings.push(text) },
    );
  });
  const refused = (why: RegExp) => assert.rejects(provider.itemsOf(resource, signal), why).then(() => assert.deepEqual(calls, []));

  it('is asked by its tools', async () => {
    const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 2 } };
    outcome = {
      ok: true,
      data: JSON.stringify([
        { title: 'One', range, more: 1 },
        { title: 'Two', range: null },
      ]),
    };
    assert.deepEqual(await provider.itemsOf(resource, signal), [{ title: 'One', range }, { title: 'Two' }]);
    outcome = { ok: true, data: [{ title: 'M', uri: 'a:b' }] };
    assert.deepEqual(await provider.mentions({ query: 'q' }, signal), [{ title: 'M', uri: 'a:b' }]);
    outcome = { ok: true, data: [{ title: 'Item' }] };
    const mention = { title: 'M', uri: 'a:b' };
    assert.deepEqual(await provider.itemsOfMention(mention, signal), [{ title: 'Item' }]);
    assert.deepEqual(calls, [
      ['openctx_items', resource, 'issues'],
      ['issues_openctx_mentions', { query: 'q' }, 'issues'],
      ['openctx_mention_items', { mention }, 'issues'],
    ]);
  });

  it('has none of what it has no tool for', async () => {
    tools = [tool('other')];
    assert.deepEqual(await provider.itemsOf(resource, signal), []);
    assert.deepEqual(await provider.mentions({}, signal), []);
    assert.deepEqual(calls, []);
  });

  it('is not asked when it is away', async () => {
    tools = [tool('openctx_items', { provider: 'b' })];
    await refused(/“issues” is not at the gateway/);
    tools = new Error('nobody answers');
    await refused(/no connection to the gateway: nobody answers/);
  });

  it('is not asked for what a person would have to allow', async () => {
    tools = [tool('openctx_items', { trust: 'external' })];
    await refused(/paired page or program/);
    tools = [tool('openctx_items')];
    decision = { decision: 'deny', provider: 'guard', reason: 'not today', context: [] };
    await refused(/“guard” denies this: not today/);
  });

  it('gives what is right in its answer, and says in the log what is not', async () => {
    outcome = { ok: true, data: [{ title: 'a', url: null, range: null }, null, { title: 1 }] };
    assert.deepEqual(await provider.itemsOf(resource, signal), [{ title: 'a' }]);
    assert.deepEqual(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^issues, openctx_items: Of 3 in its answer, 2 wrong left out: 2 \(.+\), 3 \(title .+\)\.$/);
  });

  it('says what is wrong with its answer', async () => {
    for (const data of [null, 'text', [{ title: 1 }], { items: [] }]) {
      outcome = { ok: true, data };
      await assert.rejects(provider.itemsOf(resource, signal), /The result of openctx_items is not as OpenCtx says/, JSON.stringify(data));
    }
    outcome = { ok: true, file: { mimeType: 'text/plain', size: 1, base64: 'YQ==' } };
    await assert.rejects(provider.itemsOf(resource, signal), /not as OpenCtx says/);
    outcome = { ok: false, error: 'it broke', errorCode: 'FAILED' };
    await assert.rejects(provider.itemsOf(resource, signal), /openctx_items has failed: it broke/);
  });
});
