import assert from 'node:assert/strict';
import { questionForm } from '../../views/questions/toolQuestionForm.ts';
import { type Dialogs, fillIn, type Step } from './fillIn.ts';

describe('filling in a form', () => {
  const fields = questionForm({ properties: { a: { type: 'string' }, b: { type: 'boolean' } } }) ?? [];
  const next = (value?: string | boolean): Step => ({ kind: 'next', ...(value !== undefined && { value }) });
  /** A user who does these steps, and then decides so about what is shown. */
  const user = (steps: Step[], decisions: ('send' | 'back' | 'cancel')[]) => {
    const seen: string[] = [];
    const dialogs: Dialogs = {
      field({ name }, { step, of }, given) {
        seen.push(`${name} ${step}/${of}${given ? ` ${JSON.stringify(given)}` : ''}`);
        return Promise.resolve(steps.shift() ?? { kind: 'cancel' });
      },
      confirm(values) {
        seen.push(`send ${JSON.stringify([...values])}`);
        return Promise.resolve(decisions.shift() ?? 'cancel');
      },
    };
    return { dialogs, seen };
  };

  it('asks for each field, shows what is sent, and leaves out what was left out', async () => {
    const { dialogs, seen } = user([next('x'), next()], ['send']);
    assert.deepEqual([...((await fillIn(fields, dialogs)) ?? [])], [['a', 'x']]);
    assert.deepEqual(seen, ['a 1/2', 'b 2/2', 'send [["a","x"]]']);
  });

  it('goes back to what was said before, also from the end', async () => {
    const { dialogs, seen } = user([next('x'), { kind: 'back' }, next('y'), next(true), next(false)], ['back', 'send']);
    assert.deepEqual(
      [...((await fillIn(fields, dialogs)) ?? [])],
      [
        ['a', 'y'],
        ['b', false],
      ],
    );
    assert.deepEqual(seen.slice(2), [
      'a 1/2 {"kind":"next","value":"x"}',
      'b 2/2',
      'send [["a","y"],["b",true]]',
      'b 2/2 {"kind":"next","value":true}',
      'send [["a","y"],["b",false]]',
    ]);
  });

  it('sends nothing when the user cancels, anywhere', async () => {
    assert.equal(await fillIn(fields, user([next('x')], []).dialogs), undefined);
    assert.equal(await fillIn(fields, user([next('x'), next(true)], ['cancel']).dialogs), undefined);
  });
});
