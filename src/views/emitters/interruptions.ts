/** What is worth an interruption, as the rules of a filter. */
import type { EventFilter } from './emitterRequest.ts';

/** "0 errors", "no failures", a test that TAP expects to fail: what says that all is well. */
const NO_FAILURE =
  '(?i)\\b(?:0|no)\\s+(?:fail|error|problem)|\\b(?:fail(?:ed|ures?)?|errors?)\\s*[:=]?\\s*0\\b|^\\s*not ok\\b.*# (?:todo|skip)';
/** Test runners that print into a pipe, such as that of Node.js, write TAP: `not ok 1 - name`. */
const FAILURE =
  '(?i)^\\s*not ok\\b|\\b(?:fail(?:ed|ing|ures?)?|err(?:or|ors)?|fatal|panic|exception|traceback|crash(?:ed)?|npm err!)\\b|[✖✗✘×]';

export type Interruption = 'failuresToAgent' | 'failuresToUser' | 'allToAgent' | 'allToUser' | 'nothing';

export function failureRules(outcome: 'surface' | 'inject'): EventFilter {
  return [
    { match: NO_FAILURE, outcome: 'keep' },
    { match: FAILURE, outcome },
  ];
}

export function interruptionRules(interruption: Interruption): EventFilter {
  switch (interruption) {
    case 'failuresToAgent':
      return failureRules('inject');
    case 'failuresToUser':
      return failureRules('surface');
    case 'allToAgent':
      return [{ match: '\\S', outcome: 'inject' }];
    case 'allToUser':
      return [{ match: '\\S', outcome: 'surface' }];
    case 'nothing':
      return [];
  }
}
