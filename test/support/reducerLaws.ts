/** Laws that hold for every reducer, on random actions that mostly refer to something in the state, mixed with garbage. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ActionLike, Reducer } from '../../src/ahp/common/reducers/reducer.ts';
import { reduceAll } from '../../src/ahp/common/reducers/reduceAll.ts';
import { deepFreeze } from './deepFreeze.ts';
import { runs } from './runs.ts';

export type AnyReducer = Reducer<object>;
export type Fields = Record<string, fc.Arbitrary<unknown>>;

const NOW = 9999;
const RUNS = runs(400);

// Few ids, so that actions refer to each other. Some are names that an object inherits.
export const id = fc.constantFrom('a', 'b', '__proto__', 'constructor');
export const turnId = fc.constantFrom('t1', 't1', 't1', 't2');
export const text = fc.constantFrom('', 'x', 'yz');
export const bool = fc.boolean();
export const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const garbage = fc.constantFrom<unknown>(
  ...[null, undefined, 0, -1, '', 'x', true, [], [null], [[]], {}],
  ...(['{"__proto__":{"id":"a"}}', '{"toString":1,"valueOf":1}', '[{"id":"a"},"x",{"id":null}]'].map((json) =>
    JSON.parse(json),
  ) as object[]),
);
export const values = fc.oneof(
  fc.dictionary(id, fc.constantFrom(1, 2), { maxKeys: 2 }),
  fc.constantFrom('{"__proto__":1}', '{"a":{"x":[1]}}').map((json) => JSON.parse(json) as object),
);

/** The actions of a protocol. */
export interface ActionTable {
  /** The fields of every type. */
  fieldsOf: Record<string, Fields>;
  /** How often a type comes, where that is not 1. */
  weights: Partial<Record<string, number>>;
  /** The types that append. */
  streams: readonly string[];
}

/** A reducer, the start of its action types, and states to begin with, which have such fields. */
export interface Lawful {
  name: string;
  prefix: string;
  reducer: AnyReducer;
  states: fc.Arbitrary<object>;
  fields: readonly string[];
}

function wellFormed({ fieldsOf, weights }: ActionTable, prefix: string): fc.Arbitrary<Record<string, unknown>> {
  const types = Object.keys(fieldsOf).filter((type) => type.startsWith(prefix));
  return fc.oneof(
    ...types.map((type) => ({ weight: weights[type] ?? 1, arbitrary: fc.record({ type: fc.constant(type), ...fieldsOf[type] }) })),
  );
}

/** Mostly well-formed. Sometimes a field is wrong, or the whole action. */
function anAction(table: ActionTable, prefix: string): fc.Arbitrary<ActionLike> {
  const spoilt = fc.tuple(wellFormed(table, prefix), fc.nat(5), garbage).map(([action, field, wrong]) => {
    const keys = Object.keys(action);
    return { ...action, [keys[field % keys.length] as string]: wrong };
  });
  return fc.oneof(
    { weight: 8, arbitrary: wellFormed(table, prefix) },
    { weight: 2, arbitrary: spoilt },
    { weight: 1, arbitrary: garbage },
  ) as fc.Arbitrary<ActionLike>;
}

/** A stream as hosts send it: appends to few parts, in runs. */
function aRun(table: ActionTable, prefix: string): fc.Arbitrary<ActionLike[]> {
  const target = { turnId: fc.constant('t1'), partId: fc.constantFrom('a', 'a', 'b'), toolCallId: fc.constantFrom('a', 'a', 'b') };
  const invocationMessage = fc.option(text, { nil: undefined, freq: 3 });
  const streams = table.streams.filter((type) => type.startsWith(prefix));
  if (streams.length === 0) return fc.constant([]);
  const append = (type: string): fc.Arbitrary<unknown> =>
    fc.record({
      type: fc.constant(type),
      ...target,
      content: text,
      data: text,
      ...(type.endsWith('/toolCallDelta') && { invocationMessage }),
    });
  return fc.constantFrom(...streams).chain((type) => fc.array(append(type), { minLength: 2, maxLength: 6 })) as fc.Arbitrary<ActionLike[]>;
}

function oneByOne(reducer: AnyReducer, state: object, actions: readonly ActionLike[]): object {
  return actions.reduce((current, action) => reducer(current, action, NOW), state);
}

function objectsIn(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value === 'object' && value !== null && !found.has(value)) {
    found.add(value);
    for (const field of Object.values(value)) objectsIn(field, found);
  }
  return found;
}

/** Where `single` holds an object of the inputs, `batched` must hold the same one. (It may keep more, of what changes and changes back.) */
function assertKeeps(inputs: Set<unknown>, single: unknown, batched: unknown, path: string): void {
  if (typeof single !== 'object' || single === null || batched === single) return;
  assert(!inputs.has(single), `${path}: the same object in both`);
  for (const [key, field] of Object.entries(single))
    assertKeeps(inputs, field, (batched as Record<string, unknown>)[key], `${path}.${key}`);
}

/** Describes the laws of one reducer. */
export function describeLaws(table: ActionTable, { name, prefix, reducer, states, fields }: Lawful): void {
  const few = fc.oneof(
    { weight: 4, arbitrary: anAction(table, prefix).map((action) => [action]) },
    { weight: 1, arbitrary: aRun(table, prefix) },
  );
  // No host can send an object without a prototype, as a record of fast-check may be: its clone is none.
  const actions = fc.array(few, { maxLength: 40, size: 'max' }).map((groups) => structuredClone(groups.flat()));

  describe(`laws of the ${name} reducer`, () => {
    it('a batch is its actions one by one, and keeps the objects that they keep; nothing given is written to', () => {
      fc.assert(
        fc.property(states, actions, actions, (initial, before, batch) => {
          const state = deepFreeze(oneByOne(reducer, deepFreeze(structuredClone(initial)), deepFreeze(before)));
          deepFreeze(batch);
          const single = oneByOne(reducer, state, batch);
          const batched = reduceAll(reducer, state, batch, NOW);
          assert.deepEqual(batched, single);
          assert.equal(JSON.stringify(batched), JSON.stringify(single), 'the order of fields');
          assertKeeps(objectsIn([state, batch]), single, batched, 'state');
        }),
        { numRuns: RUNS },
      );
    });

    it('a replay from any point on is the replay of the whole', () => {
      fc.assert(
        fc.property(states, actions, fc.nat(40), (initial, all, at) => {
          const snapshot = JSON.parse(JSON.stringify(oneByOne(reducer, initial, all.slice(0, at)))) as object;
          const whole = JSON.parse(JSON.stringify(oneByOne(reducer, initial, all))) as object;
          assert.deepEqual(JSON.parse(JSON.stringify(reduceAll(reducer, snapshot, all.slice(at), NOW))), whole);
        }),
        { numRuns: RUNS },
      );
    });

    it('an equal state is the same state', () => {
      fc.assert(
        fc.property(states, actions, (initial, all) => {
          all.reduce((state, action) => {
            const next = reducer(state, action, NOW);
            let equal = true;
            try {
              assert.deepEqual(next, state);
            } catch (error) {
              assert(error instanceof assert.AssertionError);
              equal = false;
            }
            assert.equal(next === state, equal, JSON.stringify(action));
            return next;
          }, initial);
        }),
        { numRuns: Math.ceil(RUNS / 4) },
      );
    });

    it('no state makes it throw', () => {
      const spoiltState = fc
        .tuple(states, fc.array(fc.tuple(fc.constantFrom(...fields), garbage), { maxLength: 4 }))
        .map(([state, wrong]) => ({ ...state, ...Object.fromEntries(wrong) }));
      fc.assert(
        fc.property(fc.oneof({ weight: 4, arbitrary: spoiltState }, { weight: 1, arbitrary: garbage }), actions, (state, all) => {
          deepFreeze(state);
          assert.deepEqual(reduceAll(reducer, state as object, all, NOW), oneByOne(reducer, state as object, all));
        }),
        { numRuns: RUNS },
      );
    });

    it('actions of other resources and of later versions change nothing', () => {
      fc.assert(
        fc.property(states, fc.string(), fc.constantFrom(...Object.keys(table.fieldsOf)), (state, unknownType, known) => {
          for (const type of [`${prefix}${unknownType}!`, unknownType, '__proto__', ...(known.startsWith(prefix) ? [] : [known])]) {
            assert.equal(reducer(state, { type, turnId: 't1', content: 'x' } as ActionLike, NOW), state);
          }
        }),
      );
    });
  });
}
