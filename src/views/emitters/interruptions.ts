/** What is worth an interruption, as the rules of a filter. */
import type { EventFilter } from './emitterRequest.ts';

/** Test runners that print into a pipe, such as that of Node.js, write TAP: `not ok 1 - name`. What the name says is no news. */
const TAP_FAILURE = '(?i)^\\s*not ok\\b';
/** TAP expects it. A `#` of the name itself stands there as `\#`. */
const EXPECTED_TAP_FAILURE = `${TAP_FAILURE}.*[^\\\\]# (?:todo|skip)\\b`;
/** A sum that begins with what is good. A number within the name of a good test is none: nothing ends after it. */
const SUM_WITH_FAILURES =
  '(?i)^\\s*(?:PASS|[✔✓√])\\s.*(?:[✖✗✘]\\s*[1-9]|\\b[1-9]\\d*\\s+(?:fail(?:ed|ing|ures?)?|errors?)(?:\\s*[,;.|)]|\\s+in\\s+\\d|\\s*$)|\\b(?:fail(?:ed|ures?)?|errors?)\\s*[:=]\\s*[1-9])';
/** What names a test or a package that is good, whatever it is called: TAP, Go, Jest, and runners that mark each test. The `ok` of TAP is small, with one blank. */
const SUCCESS = '^\\s*(?:ok (?:\\d+\\b|-\\s)|ok\\s+\\S+\\s+(?:[\\d.]+s\\b|\\(cached\\))|PASS\\s|[✔✓√]\\s|# Subtest: )';
/** "0 errors", "no failures": what says that all is well. */
const NO_FAILURE = '(?i)\\b(?:0|no)\\s+(?:fail|error|problem)|\\b(?:fail(?:ed|ures?)?|errors?)\\s*[:=]?\\s*0\\b';
const FAILURE = '(?i)\\b(?:fail(?:ed|ing|ures?)?|err(?:or|ors)?|fatal|panic|exception|traceback|crash(?:ed)?|npm err!)\\b|[✖✗✘×]';

export type Interruption = 'failuresToAgent' | 'failuresToUser' | 'allToAgent' | 'allToUser' | 'nothing';

export function failureRules(outcome: 'surface' | 'inject'): EventFilter {
  return [
    { match: EXPECTED_TAP_FAILURE, outcome: 'keep' },
    { match: TAP_FAILURE, outcome },
    { match: SUM_WITH_FAILURES, outcome },
    { match: SUCCESS, outcome: 'keep' },
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
