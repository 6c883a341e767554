import assert from 'node:assert/strict';
import { toolDefinition } from '../../../ahp/common/tools.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { selectTools } from './selectTools.ts';

const tool = (name: string, fields: Partial<OfferedTool> = {}): OfferedTool => ({
  name,
  description: `does ${name}`,
  parameters: {},
  provider: 'p',
  trust: 'project',
  timeoutMs: 1,
  ...fields,
});
const nested = (depth: number): Record<string, unknown> => (depth === 0 ? {} : { items: nested(depth - 1) });
const names = ({ tools, leftOut }: ReturnType<typeof selectTools>) => [
  tools.map(({ name }) => name).join(),
  leftOut.map((left) => `${left.tool.name} ${left.why}`).join(),
];

describe('The choice of tools for an agent', () => {
  it('takes what is on and leaves out the rest with the reason', () => {
    const offered = ['a', 'b', 'c', 'd', 'e'].map((name) => tool(name));
    const switchOf = ({ name }: OfferedTool) => (({ b: 'off', c: 'new', d: 'changed' }) as const)[name as 'b'] ?? 'on';
    assert.deepEqual(names(selectTools(offered, ['e'], switchOf)), ['a', 'b off,c new,d changed,e taken']);
  });

  it('says of Tapline’s own tools whether they may destroy something, and believes nobody else', () => {
    const annotations = { destructiveHint: true, openWorldHint: true };
    const offered = [tool('own', { trust: 'internal', annotations }), tool('other', { annotations }), tool('plain', { trust: 'internal' })];
    assert.deepEqual(
      selectTools(offered, [], () => 'on').tools.map((definition) => definition.annotations),
      [{ destructiveHint: true }, undefined, undefined],
    );
  });

  it('makes definitions that hosts take, of whatever JSON Schema allows', () => {
    for (const parameters of [
      {},
      { type: 'object', properties: { a: true, b: false, c: { type: 'string' } }, required: ['a'] },
      { type: 'string', properties: 1, required: 'a' },
      { properties: [], required: [1, 'a'], $defs: { x: {} } },
    ]) {
      const { tools } = selectTools([tool('a', { parameters: parameters as Record<string, unknown> })], [], () => 'on');
      assert(toolDefinition.safeParse(tools[0]).success, JSON.stringify(tools));
    }
    assert.deepEqual(
      selectTools([tool('a', { parameters: { properties: { x: false, y: true } } })], [], () => 'on').tools[0]?.inputSchema?.properties,
      { x: { not: {} }, y: {} },
    );
  });

  it('lets the agent choose among the instances of a provider', () => {
    const parameters = { properties: { n: {} }, required: ['n'] };
    const [definition] = selectTools([tool('a', { parameters, instances: [{ name: 'x' }, { name: 'y' }] })], [], () => 'on').tools;
    assert.match(JSON.stringify(definition?.inputSchema), /"n":\{\},"target":\{"type":"string".*Available: x, y/);
    assert.deepEqual(definition?.inputSchema?.required, ['n']);
  });

  it('passes on which tools only read', () => {
    const { tools } = selectTools([tool('a', { readOnly: true }), tool('b')], [], () => 'on');
    assert.deepEqual(
      tools.map(({ annotations }) => annotations),
      [{ readOnlyHint: true }, undefined],
    );
  });

  it('leaves out what no host would take', () => {
    const offered = [
      tool('deep', { parameters: nested(100) }),
      tool('less', { parameters: nested(70) }),
      tool('large', { parameters: { description: 'x'.repeat(5 * 1024 * 1024) } }),
      ...Array.from({ length: 3 }, (_, index) => tool(`part${index}`, { parameters: { description: 'x'.repeat(1.5 * 1024 * 1024) } })),
    ];
    assert.deepEqual(names(selectTools(offered, [], () => 'on')), ['less,part0,part1', 'deep tooLarge,large tooLarge,part2 tooLarge']);
  });
});
