import { isRecord } from '../../base/isRecord.ts';
import type { HookRule } from '../../tap/wire/hookShapes.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import { compilePatterns, globSource, PatternTime } from '../limits/pattern.ts';

/** A tool call of the agent that hooks are evaluated for. */
export interface ToolUse {
  tool: string;
  args: unknown;
  /** Name of the provider that the tool comes from; absent for the agent's own tools. */
  provider?: string;
}
export interface CompiledRule {
  readonly rule: HookRule;
  /** `text`: the arguments as JSON. `too slow`: the time limit has passed before there was a result. */
  matches(use: ToolUse, text: string, time: PatternTime): boolean | 'too slow';
}

/** Time for the rules of one provider on one tool call, whose arguments come from an agent and may be large. */
const MATCH_MS = 200;
/** Argument names that tools use for the path of a file. */
const pathArguments = ['path', 'file', 'filePath', 'file_path', 'fileName', 'filename', 'uri'];

/** Throws a ProviderError that names the rule whose pattern is wrong, or when all of them cost too much. */
export function compileRules(rules: readonly HookRule[], budget: CompileBudget): CompiledRule[] {
  const sources = rules.flatMap(({ match: { args, file } }, at) => [
    ...(args === undefined ? [] : [{ source: args, field: `onPreToolUse[${at}].match.args` }]),
    ...(file === undefined ? [] : [{ source: globSource(file), field: `onPreToolUse[${at}].match.file` }]),
  ]);
  const patterns = compilePatterns(sources, budget);
  return rules.map((rule) => {
    const { tool, provider, args, file } = rule.match;
    const argsPattern = args === undefined ? undefined : patterns.shift();
    const filePattern = file === undefined ? undefined : patterns.shift();
    return {
      rule,
      matches: (use, text, time) => {
        if ((tool !== undefined && tool !== use.tool) || (provider !== undefined && provider !== use.provider)) return false;
        const found = [
          ...(argsPattern ? [time.test(argsPattern, text)] : []),
          ...(filePattern ? [anyOf(pathsOf(use.args).map((path) => time.test(filePattern, path)))] : []),
        ];
        return found.includes(false) ? false : found.includes('too slow') ? 'too slow' : true;
      },
    };
  });
}

/** The rules of one provider that match. A rule that is too slow to evaluate counts as matching, unless it would only add context. */
export function rulesFor(rules: readonly CompiledRule[], use: ToolUse): HookRule[] {
  if (!rules.length) return [];
  const text = JSON.stringify(use.args) ?? '';
  const time = new PatternTime(MATCH_MS);
  return rules
    .filter((compiled) => {
      const matches = compiled.matches(use, text, time);
      return matches === 'too slow' ? compiled.rule.action !== 'context' : matches;
    })
    .map(({ rule }) => rule);
}

function anyOf(found: (boolean | 'too slow')[]): boolean | 'too slow' {
  return found.includes(true) ? true : found.includes('too slow') ? 'too slow' : false;
}

function pathsOf(args: unknown): string[] {
  if (!isRecord(args)) return [];
  return pathArguments
    .map((key) => args[key])
    .filter((value) => typeof value === 'string')
    .map((path) => path.replaceAll('\\', '/'));
}
