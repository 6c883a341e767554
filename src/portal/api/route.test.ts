import assert from 'node:assert/strict';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { described } from './route.ts';

describe('members of a shape with what the document says of them', () => {
  const member = mini.optional(mini.number());
  const members = { first: member, second: member, third: mini.string() };

  it('have their texts, also where one of them stands elsewhere with another text', () => {
    const one = z.strictObject(described(members, { first: 'The first.', second: 'The second.' }));
    const other = z.strictObject(described(members, { first: 'Another one.' }));
    const textsOf = (schema: z.ZodType) =>
      Object.entries(z.toJSONSchema(schema).properties ?? {}).map(([name, said]) => [
        name,
        (said as z.core.JSONSchema.BaseSchema).description,
      ]);
    assert.deepEqual(textsOf(one), [
      ['first', 'The first.'],
      ['second', 'The second.'],
      ['third', undefined],
    ]);
    assert.deepEqual(textsOf(other), [
      ['first', 'Another one.'],
      ['second', undefined],
      ['third', undefined],
    ]);
  });
});
