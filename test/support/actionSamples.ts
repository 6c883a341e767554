/** Schemas of what clients send, tried with what fits them and with everything that does not. */
import assert from 'node:assert/strict';
import type * as z from 'zod/mini';
import { problemOf } from '../../src/host/checks/problem.ts';
import { malformed } from './malformed.ts';

/** For each type: the fields that it needs, and those that it may have. */
export type ActionSamples<T extends string> = readonly [type: T, required: Record<string, unknown>, optional?: Record<string, unknown>][];

/** Adds the tests of these schemas. */
export function testActionSchemas<T extends string>(samples: ActionSamples<T>, schemas: Readonly<Record<T, z.ZodMiniType>>): void {
  for (const [type, required, optional = {}] of samples) {
    it(`${type} is accepted when it fits, and every field that is missing or of the wrong type is named`, () => {
      const whole = { type, ...required, ...optional };
      const problem = (value: unknown) => problemOf(schemas[type], value);
      assert.equal(problem(whole), undefined);
      assert.equal(problem({ type, ...required }), undefined);
      for (const { path, bad } of malformed({ ...required, ...optional })) {
        const found = problem({ type, ...(bad as object) }) ?? 'accepted';
        assert.ok(found.startsWith(`${path} must be`), `${path}: ${found}`);
      }
      for (const key of Object.keys(required)) assert.equal(problem({ ...whole, [key]: undefined }), `${key} is missing`);
    });
  }

  it('are all tested here', () => {
    assert.deepEqual([...new Set(samples.map(([type]) => type))].sort(), Object.keys(schemas).sort());
  });
}
