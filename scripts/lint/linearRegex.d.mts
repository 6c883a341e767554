import type { Rule } from 'eslint';
export const linearRegex: Rule.RuleModule;
