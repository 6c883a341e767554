/** What a provider registers, in compiled form, and how updates change it. */
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import type { ToolDefinition } from '../../tap/wire/fields.ts';
import type { Hooks, Transform } from '../../tap/wire/hookShapes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import { type CompiledRule, compileRules } from './hookMatch.ts';
import { type ArgumentSchema, compileArguments } from './toolSchema.ts';

export interface ProviderTool extends ArgumentSchema {
  readonly definition: ToolDefinition;
}

/** Never changed in place. */
export interface Registration {
  readonly tools: ReadonlyMap<string, ProviderTool>;
  readonly rules: readonly CompiledRule[];
  readonly transforms: ReadonlyMap<string, Transform>;
  readonly context: string | undefined;
}

export const emptyRegistration: Registration = { tools: new Map(), rules: [], transforms: new Map(), context: undefined };

/** Throws a ProviderError that names the tool, or when its schemas cost too much. */
export function compileTools(definitions: readonly ToolDefinition[], budget: CompileBudget): Map<string, ProviderTool> {
  checkDuplicates(definitions);
  const schemas = compileArguments(definitions, budget);
  const tools = new Map(definitions.map((definition, at) => [definition.name, { definition, ...(schemas[at] as ArgumentSchema) }]));
  checkSchemas(tools);
  return tools;
}

/**
 * The list of tools after an update. An update with `remove`, even an empty one, is a delta; otherwise `changed` is the whole list. Throws
 * a ProviderError.
 */
export function updatedTools(
  current: ReadonlyMap<string, ProviderTool>,
  changed: ReadonlyMap<string, ProviderTool>,
  remove: readonly string[] | undefined,
): ReadonlyMap<string, ProviderTool> {
  if (!remove) return changed;
  const tools = new Map(current);
  for (const name of remove) tools.delete(name);
  for (const [name, tool] of changed) tools.set(name, tool);
  if (tools.size > Limit.tools) throw new ProviderError(ErrorCode.PayloadTooLarge, `a provider has at most ${Limit.tools} tools`);
  checkSchemas(tools);
  return tools;
}

export interface CompiledHooks {
  readonly rules: readonly CompiledRule[] | undefined;
  readonly transforms: Hooks['transforms'];
}

/** Throws a ProviderError that names the rule, or when its patterns cost too much. */
export function compileHooks({ onPreToolUse, transforms }: Hooks, budget: CompileBudget): CompiledHooks {
  return { rules: onPreToolUse && compileRules(onPreToolUse, budget), transforms };
}

/** `null` removes a section's transform. Throws a ProviderError when there are too many. */
export function mergeHooks(current: Pick<Registration, 'rules' | 'transforms'>, hooks: CompiledHooks) {
  const transforms = new Map(current.transforms);
  for (const [section, transform] of Object.entries(hooks.transforms ?? {})) {
    if (transform) transforms.set(section, transform);
    else transforms.delete(section);
  }
  if (transforms.size > Limit.transforms)
    throw new ProviderError(ErrorCode.PayloadTooLarge, `a provider has transforms for at most ${Limit.transforms} sections`);
  return { rules: hooks.rules ?? current.rules, transforms };
}

function checkDuplicates(definitions: readonly ToolDefinition[]): void {
  const seen = new Set<string>();
  for (const { name } of definitions) {
    if (seen.has(name)) throw new ProviderError(ErrorCode.ToolConflict, `Tool ${JSON.stringify(name)} is in the list twice`);
    seen.add(name);
  }
}

/** An update may add to tools that came in earlier messages, so the sum is checked as well as each message. */
function checkSchemas(tools: ReadonlyMap<string, ProviderTool>): void {
  if ([...tools.values()].reduce((sum, { work }) => sum + work, 0) > Limit.compileWork)
    throw new ProviderError(ErrorCode.PayloadTooLarge, 'the schemas of all tools of a provider together are too large');
}
