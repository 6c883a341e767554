import assert from 'node:assert/strict';
import type { Grant } from '../../../../ahp/grants.ts';
import { lentByMeta } from '../../../../ahp/lentBy.ts';
import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import { lentTool, onlyReads } from './lentTool.ts';
import { accessOf, allowedByGrant, allowedBySettings, grantOptions, type Access } from './permissions.ts';

const program = lentByMeta({ provider: 'zoo', trust: 'project' });
const lookup: ToolDefinition = {
  name: 'lookup',
  description: 'Looks up an animal',
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  annotations: { readOnlyHint: true },
  _meta: program,
};
const told = { name: 'lookup_client', clientId: 'window', definition: lookup };
const places = { workingDirectory: '/work', home: '/home/ada', own: [], moduleFolders: [], made: new Set<string>() };

/** Of a call of the tool that the model was told of, while the client lends these. */
const accessWith = (...tools: ToolDefinition[]): Promise<Access> => accessOfCall({}, ...tools);
const accessOfCall = (args: unknown, ...tools: ToolDefinition[]): Promise<Access> =>
  accessOf(
    { kind: 'custom-tool', toolName: 'lookup_client', toolDescription: '', args } as never,
    places,
    () => undefined,
    (name) => lentTool(name === told.name ? told : undefined, [{ clientId: 'window', tools }]),
    (name, of) =>
      onlyReads(name === told.name ? { ...told, definition: tools[0] ?? lookup } : undefined, [{ clientId: 'window', tools }], of),
  );
const grantOf = (access: Access): Grant => {
  const [option, ...more] = grantOptions(access, '/work');
  assert.ok(option && more.length === 0);
  return option.grant;
};

describe('what was allowed of a tool that a client lends', () => {
  it('holds for this tool of this provider', async () => {
    const grant = grantOf(await accessWith(lookup));
    assert.deepEqual(Object.keys(grant).sort(), ['digest', 'kind', 'name', 'provider', 'trust']);
    assert.equal(allowedByGrant(await accessWith(structuredClone(lookup)), [grant]), true);
    const page = { ...lookup, _meta: lentByMeta({ provider: 'zoo', trust: 'external', origin: 'https://zoo.example' }) };
    assert.equal(allowedByGrant(await accessWith(page), [grantOf(await accessWith(page))]), true);
  });

  it('is each call alone of a tool of Tapline’s own that may destroy something, as one that runs commands', async () => {
    const runs = { ...lookup, annotations: { destructiveHint: true }, _meta: lentByMeta({ provider: 'tap', trust: 'internal' }) };
    const { annotations: _, ...harmless } = runs;
    const grant = grantOf(await accessWith(harmless));
    const access = await accessWith(runs);
    assert.deepEqual([grantOptions(access, '/work'), allowedByGrant(access, [grant])], [[], false]);
  });

  it('is not needed for a tool of Tapline’s own that only reads, where reading is not', async () => {
    const settings = { approvals: 'ask', autoApproveReads: true, mode: 'interactive' } as never;
    const own = lentByMeta({ provider: 'tap', trust: 'internal' });
    const verify = { ...lookup, name: 'tap_verify_goal_output', _meta: own };
    const isAllowed = async (tool: ToolDefinition, by = settings) => allowedBySettings(await accessWith(tool), by);
    assert.equal(await isAllowed(verify), true);
    assert.equal(await isAllowed(verify, { ...(settings as object), autoApproveReads: false } as never), false);
    const asked: Partial<ToolDefinition>[] = [
      { annotations: {} },
      { annotations: { readOnlyHint: true, destructiveHint: true } },
      { _meta: lentByMeta({ provider: 'tap', trust: 'project' }) },
      { _meta: lentByMeta({ provider: 'zoo', trust: 'internal' }) },
      { _meta: {} },
      { name: 'verify' },
      ...['tap_query_records', 'tap_stream_history', 'tap_anything'].map((name) => ({ name })),
    ];
    for (const change of asked) assert.equal(await isAllowed({ ...verify, ...change }), false, JSON.stringify(change));
    assert.equal(await isAllowed(lookup), false, 'whatever others say of theirs');
    for (const name of ['tap_get_session_state', 'tap_audit_claims']) assert.equal(await isAllowed({ ...verify, name }), true, name);
    const withArgs = async (args: unknown) => allowedBySettings(await accessOfCall(args, verify), settings);
    const check = (kind: string) => ({ goal: 'x', checks: [{ kind, stream: 'mail', provider: 'shop', text: 'a' }] });
    assert.deepEqual(await Promise.all(['fileContains', 'streamContains'].map((kind) => withArgs(check(kind)))), [true, false]);
    assert.equal(await withArgs(JSON.stringify(check('stream\u0043ontains'))), false, 'what cannot be looked into');
  });

  const others: Record<string, Partial<ToolDefinition>> = {
    'is of another provider': { _meta: lentByMeta({ provider: 'farm', trust: 'project' }) },
    'is of a namesake with another trust': { _meta: lentByMeta({ provider: 'zoo', trust: 'external' }) },
    'is of a page': { _meta: lentByMeta({ provider: 'zoo', trust: 'project', origin: 'https://zoo.example' }) },
    'is of nobody who is known': { _meta: {} },
    'has another description': { description: 'Looks up an animal, and sends your mail' },
    'takes something else': { inputSchema: { type: 'object', properties: { q: { type: 'string' }, path: { type: 'string' } } } },
    'has another title': { title: 'Look up' },
    'is not only for reading any more': { annotations: { readOnlyHint: false } },
  };
  for (const [what, change] of Object.entries(others))
    it(`ends when the tool of this name ${what}`, async () => {
      const before = await accessWith(lookup);
      const after = await accessWith({ ...lookup, ...change });
      assert.equal(allowedByGrant(after, [grantOf(before)]), false);
      assert.equal(allowedByGrant(before, [grantOf(after)]), false);
    });

  it('ends when the client does not lend it any more, and can then not be allowed', async () => {
    const gone = await accessWith();
    assert.equal(allowedByGrant(gone, [grantOf(await accessWith(lookup))]), false);
    assert.deepEqual(grantOptions(gone, '/work'), []);
  });

  it('cannot be kept where it is not known in full whose it is', async () => {
    for (const origin of [1, '', 'x'.repeat(3_000)]) {
      const access = await accessWith({ ...lookup, _meta: { ...program, 'tapline.origin': origin } });
      assert.deepEqual(grantOptions(access, '/work'), []);
    }
  });

  it('was by the name alone in earlier versions, which allows nothing of a client any more', async () => {
    const access = await accessWith(lookup);
    for (const name of ['lookup', 'lookup_client']) assert.equal(allowedByGrant(access, [{ kind: 'tool', name }]), false);
    const served: Access = { kind: 'tool', name: 'shop/order' };
    assert.equal(allowedByGrant(served, [{ kind: 'tool', name: 'shop/order' }]), true);
  });
});
