import fc from 'fast-check';
import type { GivenWork } from '../../src/portal/entry/work.ts';

/** Works of all kinds, as an entry may give them. */
export const { work: anyWork } = fc.letrec<{ work: GivenWork; condition: [boolean, GivenWork] }>((tie) => {
  const works = fc.array(tie('work'), { minLength: 1, maxLength: 3 });
  return {
    work: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constant<GivenWork>({ kind: 'Ref', taskId: 'x' }),
      fc.record({ kind: fc.constant('Seq' as const), works }),
      fc.record({ kind: fc.constant('Par' as const), works }),
      fc.record(
        { kind: fc.constant('Loop' as const), preCondition: tie('condition'), postCondition: tie('condition'), body: tie('work') },
        { requiredKeys: ['kind', 'body'] },
      ),
      fc.record(
        { kind: fc.constant('Alt' as const), condition: tie('work'), trueWork: tie('work'), falseWork: tie('work') },
        { requiredKeys: ['kind', 'condition'] },
      ),
    ),
    condition: fc.tuple(fc.boolean(), tie('work')),
  };
});
