import assert from 'node:assert/strict';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { ToolContext } from './providerApi.ts';
import { tool, type ToolOptions } from './tool.ts';

const context: ToolContext = {
  sessionId: 's',
  signal: new AbortController().signal,
  progress: () => undefined,
  ask: async () => ({ action: 'decline' }),
};

describe('tool()', () => {
  it('tells the gateway the schema of zod, and runs with what zod makes of the arguments', async () => {
    const dice = tool({
      name: 'dice_roll',
      description: 'Rolls a die',
      input: z.object({ sides: z.int().min(2).default(6), name: z.string().trim() }),
      timeout: 1000,
      run: ({ sides, name }, { sessionId }) => `${name.toUpperCase()} ${sides.toFixed(0)} ${sessionId}`,
    });
    const told = JSON.parse(JSON.stringify(dice)) as ToolOptions<never>;
    assert.deepEqual(Object.keys(told).sort(), ['description', 'name', 'parameters', 'timeout']);
    const { properties, required } = told.parameters as { properties: Record<string, { type: string }>; required: string[] };
    assert.deepEqual([properties.sides?.type, properties.name?.type, required], ['integer', 'string', ['name']]);
    assert.equal(await dice.run({ name: ' ada ' }, context), 'ADA 6 s');
  });

  it('says all that is wrong with arguments at once, and does not run', async () => {
    const runs: unknown[] = [];
    const input = z.object({ sides: z.number(), who: z.object({ name: z.string() }) });
    const { run } = tool({ name: 't', input, run: (args) => runs.push(args) });
    await assert.rejects(
      async () => run({ sides: 'six', who: {} }, context),
      /^ToolError: The arguments do not fit the tool's parameters: sides: .*number.*; who\.name: .*string/,
    );
    await assert.rejects(async () => run({}, context), { name: 'ToolError', code: 'INVALID_ARGUMENTS', retryable: false });
    const many = tool({ name: 'm', input: z.object({ list: z.array(z.string()) }), run: () => runs.push('many') });
    await assert.rejects(async () => many.run({ list: new Array(1000).fill(1) }, context), /list\.19: .*; and 980 more$/);
    assert.deepEqual(runs, []);
    assert.equal(await run({ sides: 6, who: { name: 'Ada' } }, context), 1);
  });

  it('takes any Standard Schema, with its JSON Schema beside it where the library does not write one', async () => {
    const input = mini.object({ at: mini.number() });
    assert.throws(() => tool({ name: 't', input, run: () => 0 }), /tool "t": this version of zod .* as `parameters`, beside `input`/);
    const parameters = { type: 'object', properties: { at: { type: 'number' } } };
    const beside = tool({ name: 't', input, parameters, run: ({ at }) => at + 1 });
    assert.equal(beside.parameters, parameters);
    assert.equal(await beside.run({ at: 1 }, context), 2);
    const late = {
      '~standard': {
        version: 1 as const,
        vendor: 'own',
        types: undefined as { input: unknown; output: { n: number } } | undefined,
        validate: async (value: unknown) =>
          (value as { n?: number }).n ? { value: { n: 7 } } : { issues: [{ message: 'needs n', path: [{ key: 'n' }] }] },
      },
    };
    // ArkType's are functions.
    const asFunction = Object.assign(() => undefined, late);
    const own = tool({ name: 't', input: asFunction, parameters, run: ({ n }) => n.toFixed(1) });
    assert.equal(await own.run({ n: 1 }, context), '7.0');
    await assert.rejects(async () => own.run({}, context), /: n: needs n$/);
  });

  it('refuses schemas that the gateway cannot be told', () => {
    assert.throws(() => tool({ name: 't', input: z.object({ d: z.date() }), run: () => 0 }), /"t": its input has no JSON Schema: .*Date/);
    assert.throws(() => tool({ name: 't', input: z.string(), run: () => 0 }), /"t": the arguments of a tool are an object/);
  });

  it('takes JSON Schema as `input` or `parameters`, and neither', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const runs = (args: Record<string, unknown>) => args.a;
    for (const one of [tool({ name: 't', input: schema, run: runs }), tool({ name: 't', parameters: schema, run: runs })]) {
      assert.equal(one.parameters, schema);
      assert.equal(await one.run({ a: 'x' }, context), 'x');
    }
    assert.equal(tool({ name: 't', run: runs }).parameters, undefined);
  });
});
