import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { entry } from './entry.ts';
import { entryJsonSchema } from './entryJsonSchema.ts';

interface Described {
  description?: string;
  properties?: Record<string, Described>;
}

/** Every schema in it, with where it is. */
function within(value: unknown, path = ''): [string, Described][] {
  if (typeof value !== 'object' || value === null) return [];
  return [[path, value as Described], ...Object.entries(value).flatMap(([key, inner]) => within(inner, `${path}/${key}`))];
}

describe('the JSON schema of an entry', () => {
  const isValid = new Ajv({ strict: false }).compile(entryJsonSchema());
  const good = { models: { driving: 'x' }, promptVariables: {}, tasks: {}, jobs: {}, grid: [] };
  const withTask = (more: object) => ({ ...good, tasks: { t: { prompt: ['a'], requireUserInput: false, ...more } } });
  const withWork = (work: unknown) => ({ ...good, jobs: { j: { work } } });
  const ref = { kind: 'Ref', taskId: 't' };
  const failureAction = { retryTimes: 0 };

  it('takes the shapes that the reader takes', () => {
    for (const [value, expected] of [
      [good, true],
      [{ ...good, $schema: 'x' }, true],
      [{ ...good, more: 1 }, false],
      [{ ...good, models: {} }, false],
      [withTask({}), true],
      [withTask({ approve: ['job-tools', 'edits'] }), true],
      [withTask({ approve: ['shell'] }), false],
      [withTask({ approve: [] }), false],
      [withTask({ host: 'build box' }), true],
      [withTask({ host: '' }), false],
      [withTask({ host: 'a\nb' }), false],
      [{ ...good, hosts: { far: {}, near: { folder: '/work' }, pc: { folder: 'C:\\work' } } }, true],
      [{ ...good, hosts: { far: { folder: 'work' } } }, false],
      [{ ...good, hosts: { far: { path: '/work' } } }, false],
      [{ ...good, hosts: { ' far': {} } }, false],
      [withTask({ limits: { toolCalls: 1, modelCalls: 2, minutes: 0.5, tokens: 3, quietMinutes: 4 } }), true],
      [withTask({ limits: {} }), true],
      [withTask({ limits: { toolCalls: 0 } }), false],
      [withTask({ limits: { minutes: 0 } }), false],
      [withTask({ limits: { calls: 1 } }), false],
      [{ ...good, jobs: { j: { work: { kind: 'Ref', taskId: 't' }, budget: { tokens: 1 } } } }, true],
      [{ ...good, jobs: { j: { work: { kind: 'Ref', taskId: 't' }, budget: { tokens: 0.5 } } } }, false],
      [withTask({ prompt: [] }), false],
      [withTask({ model: { id: 'x' } }), true],
      [withTask({ model: { id: 'x', category: 'y' } }), false],
      [withTask({ criteria: { failureAction } }), true],
      [withTask({ criteria: { failureAction, condition: ['a'] } }), false],
      [withTask({ criteria: { failureAction, runConditionInSameSession: true } }), false],
      [withTask({ criteria: { failureAction, condition: ['a'], runConditionInSameSession: true } }), true],
      [withTask({ criteria: { failureAction, toolExecuted: ['bash'] } }), false],
      [withWork(ref), true],
      [withWork({ kind: 'Seq', works: [ref, { kind: 'Par', works: [ref] }] }), true],
      [withWork({ kind: 'Seq', works: [] }), false],
      [withWork({ kind: 'Seq', works: [{ kind: 'Par', works: [{ kind: 'Ref' }] }] }), false],
      [withWork({ kind: 'Loop', body: ref, preCondition: [true, ref] }), true],
      [withWork({ kind: 'Loop', body: ref, preCondition: [ref, true] }), false],
      [withWork({ kind: 'Alt', condition: { kind: 'Alt', condition: ref }, falseWork: ref }), true],
      [withWork({ kind: 'Alt' }), false],
      [{ ...good, jobs: { j: { work: ref, worktree: 'step' } } }, true],
      [{ ...good, jobs: { j: { work: ref, worktree: { for: 'run', merge: 'leave' } } } }, true],
      [{ ...good, jobs: { j: { work: ref, worktree: 'task' } } }, false],
      [{ ...good, jobs: { j: { work: ref, worktree: { merge: 'leave' } } } }, false],
    ] as [unknown, boolean][]) {
      assert.equal(isValid(value), expected, JSON.stringify(value));
      assert.equal(entry.safeParse(value).success, expected, JSON.stringify(value));
    }
  });

  it('takes the examples', () => {
    const folder = join(import.meta.dirname, '../../../examples/portal');
    for (const name of readdirSync(folder).filter((file) => file !== 'models.json'))
      assert.ok(isValid(JSON.parse(readFileSync(join(folder, name), 'utf8'))), `${name}: ${JSON.stringify(isValid.errors)}`);
  });

  it('describes every field', () => {
    const missing = within(entryJsonSchema()).flatMap(([path, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, field]) => (field.description ? [] : `${path}/${name}`)),
    );
    assert.deepEqual(missing, []);
  });
});
