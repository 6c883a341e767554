import type { HookRule } from '../tap/hookShapes.ts';
import { compileGlob, compilePattern } from './pattern.ts';

/** A tool call of the agent that hooks are asked about. */
export interface ToolUse {
  tool: string;
  args: unknown;
  /** Name of the provider that the tool comes from; absent for the agent's own. */
  provider?: string;
}
export interface CompiledRule {
  readonly rule: HookRule;
  matches(use: ToolUse): boolean;
}

/** Names under which tools take the path of a file. */
const pathArguments = ['path', 'file', 'filePath', 'file_path', 'fileName', 'filename', 'uri'];

/** Throws a ProviderError that names the rule whose pattern is wrong. */
export function compileRules(rules: readonly HookRule[]): CompiledRule[] {
  return rules.map((rule, at) => {
    const { tool, provider, args, file } = rule.match;
    const matchesArgs = args === undefined ? undefined : compilePattern(args, `onPreToolUse[${at}].match.args`);
    const matchesFile = file === undefined ? undefined : compileGlob(file, `onPreToolUse[${at}].match.file`);
    return {
      rule,
      matches: (use) =>
        (tool === undefined || tool === use.tool) &&
        (provider === undefined || provider === use.provider) &&
        (!matchesArgs || matchesArgs(JSON.stringify(use.args) ?? '')) &&
        (!matchesFile || pathsOf(use.args).some(matchesFile)),
    };
  });
}

function pathsOf(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return [];
  return pathArguments.map((key) => (args as Record<string, unknown>)[key]).filter((value) => typeof value === 'string');
}
