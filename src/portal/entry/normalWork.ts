/** The form of a work that runs: nested Seq in Seq and Par in Par are one, and each Ref has its id. */
import type { GivenWork, LoopCondition, Work } from './work.ts';

/** The work without direct nesting, and with ids from 0 in depth-first order. */
export function normalWork(work: GivenWork): Work<number> {
  let next = 0;
  // Fields are evaluated in the order in which they stand here, and so are the ids.
  const numbered = (given: GivenWork): Work<number> => {
    switch (given.kind) {
      case 'Ref':
        return { ...given, workIdInJob: next++ };
      case 'Seq':
      case 'Par':
        return { kind: given.kind, works: flattened(given).map(numbered) };
      case 'Loop':
        return {
          kind: 'Loop',
          ...(given.preCondition && { preCondition: condition(given.preCondition) }),
          ...(given.postCondition && { postCondition: condition(given.postCondition) }),
          body: numbered(given.body),
        };
      case 'Alt':
        return {
          kind: 'Alt',
          condition: numbered(given.condition),
          ...(given.trueWork && { trueWork: numbered(given.trueWork) }),
          ...(given.falseWork && { falseWork: numbered(given.falseWork) }),
        };
    }
  };
  const condition = ([flag, given]: LoopCondition<number | undefined>): LoopCondition<number> => [flag, numbered(given)];
  return numbered(work);
}

function flattened(group: GivenWork & { kind: 'Seq' | 'Par' }): GivenWork[] {
  return group.works.flatMap((work) => (work.kind === group.kind ? flattened(work as typeof group) : [work]));
}
