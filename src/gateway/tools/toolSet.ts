/** The tools of one session: those of all its providers together, and what keeps them apart. */
import { ProviderError } from '../../tap/wire/errorCodes.ts';
import type { ToolDefinition } from '../../tap/wire/fields.ts';
import { Limit, Time } from '../../tap/wire/limits.ts';
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';
import { cleanText } from '../limits/cleanText.ts';
import { type Binding, checkSchemas, type Provider, type ProviderTool } from '../sessions/provider.ts';
import type { Session } from '../sessions/session.ts';

const DESCRIPTION_LENGTH = 4000;
const TITLE_LENGTH = 80;

export interface MergedTool {
  readonly kind: 'provider' | 'instances';
  readonly name: string;
  /** Who can answer. More than one: instances of one provider, told apart by `target`. */
  readonly bindings: readonly Binding[];
  /** The model may choose the instance. */
  readonly hasTarget: boolean;
}

export interface Conflict {
  tool: string;
  /** Absent: the agent's own tool, or a reserved name. */
  with?: Provider;
  message: string;
}

/** Why `provider` cannot have these tools in `session`; undefined when it can. */
export function findConflict(
  session: Session,
  provider: Pick<Provider, 'name' | 'instance' | 'group'>,
  tools: ReadonlyMap<string, unknown>,
  own?: Binding,
): Conflict | undefined {
  const others = [...session.bindings].filter((binding) => binding !== own);
  const reservations = others
    .filter((other) => other.provider.name !== provider.name)
    .map((other) => ({ prefix: `list_${nameInTool(other.provider.name)}`, name: other.provider.name }));
  for (const tool of tools.keys()) {
    const quoted = JSON.stringify(tool);
    if (session.agentTools.has(tool)) return { tool, message: `Tool ${quoted} is one of the agent's own` };
    const reserved = reservations.find(({ prefix }) => tool.startsWith(prefix));
    if (reserved) return { tool, message: `Tool ${quoted} is reserved for the provider ${JSON.stringify(reserved.name)}` };
    const holder = others.find((other) => other.tools.has(tool) && !isSibling(other.provider, provider));
    if (holder) {
      const { name, instance } = holder.provider;
      return {
        tool,
        with: holder.provider,
        message: `Tool ${quoted} is registered by provider ${JSON.stringify(instance ? `${name}/${instance}` : name)}`,
      };
    }
  }
  return undefined;
}

export function toError(conflict: Conflict, session: Session): ProviderError {
  return new ProviderError('TOOL_CONFLICT', conflict.message, session.id);
}

/** Throws when a list names a tool twice. */
export function checkDuplicates(definitions: readonly ToolDefinition[]): void {
  const seen = new Set<string>();
  for (const { name } of definitions) {
    if (seen.has(name)) throw new ProviderError('TOOL_CONFLICT', `Tool ${JSON.stringify(name)} is in the list twice`);
    seen.add(name);
  }
}

/** The list after an update. A delta has `remove`, even an empty one; otherwise `tools` is the whole. */
export function updatedTools(
  current: ReadonlyMap<string, ProviderTool>,
  changed: ReadonlyMap<string, ProviderTool>,
  remove: readonly string[] | undefined,
) {
  if (!remove) return changed;
  const tools = new Map(current);
  for (const name of remove) tools.delete(name);
  for (const [name, tool] of changed) tools.set(name, tool);
  if (tools.size > Limit.tools) throw new ProviderError('PAYLOAD_TOO_LARGE', `a provider has at most ${Limit.tools} tools`);
  checkSchemas(tools);
  return tools;
}

export function mergeTools(session: Session): Map<string, MergedTool> {
  const tools = new Map<string, MergedTool>();
  const groups = groupOf(session);
  for (const binding of session.bindings) {
    for (const name of binding.tools.keys()) {
      if (tools.has(name) || session.agentTools.has(name)) continue;
      const bindings = (groups.get(binding.provider.group) ?? []).filter((other) => other.tools.has(name));
      const properties = binding.tools.get(name)?.definition.parameters.properties;
      const ownTarget = typeof properties === 'object' && properties !== null && 'target' in properties;
      tools.set(name, { kind: 'provider', name, bindings, hasTarget: bindings.length > 1 && !ownTarget });
    }
  }
  for (const bindings of groups.values()) {
    const instances = bindings.filter(({ provider }) => provider.instance !== undefined);
    const name = `list_${nameInTool(instances[0]?.provider.name ?? '').slice(0, Limit.nameLength - 'list__instances'.length)}_instances`;
    if (instances.length > 1 && !tools.has(name) && !session.agentTools.has(name))
      tools.set(name, { kind: 'instances', name, bindings: instances, hasTarget: false });
  }
  return tools;
}

/** As the owner is told. */
export function offerTools(tools: ReadonlyMap<string, MergedTool>): OfferedTool[] {
  return [...tools.values()].map(offer);
}

export function isSameOffer(a: readonly OfferedTool[], b: readonly OfferedTool[]): boolean {
  return a.length === b.length && a.every((tool, at) => tool === b[at] || JSON.stringify(tool) === JSON.stringify(b[at]));
}

function groupOf(session: Session): Map<string, Binding[]> {
  const groups = new Map<string, Binding[]>();
  for (const binding of session.bindings) {
    const group = groups.get(binding.provider.group);
    if (group) group.push(binding);
    else groups.set(binding.provider.group, [binding]);
  }
  return groups;
}

/** Of tools that only one can answer: they are the same at every change of the set. */
const offers = new WeakMap<ProviderTool, OfferedTool>();

function offer(merged: MergedTool): OfferedTool {
  const tool = merged.kind === 'provider' && !merged.hasTarget ? merged.bindings[0]?.tools.get(merged.name) : undefined;
  if (!tool) return offerAnew(merged);
  const known = offers.get(tool) ?? offerAnew(merged);
  offers.set(tool, known);
  return known;
}

function offerAnew({ kind, name, bindings, hasTarget }: MergedTool): OfferedTool {
  const { provider } = bindings[0] as Binding;
  const common = { name, provider: cleanText(provider.name, TITLE_LENGTH), trust: provider.trust };
  if (kind === 'instances') {
    return {
      ...common,
      description: `List connected ${common.provider} instances`,
      parameters: { type: 'object', properties: {} },
      timeoutMs: Time.toolTimeoutMs,
    };
  }
  const { definition } = bindings[0]?.tools.get(name) as ProviderTool;
  return {
    ...common,
    description: cleanText(definition.description, DESCRIPTION_LENGTH),
    parameters: hasTarget ? withTarget(definition.parameters, bindings) : definition.parameters,
    timeoutMs: definition.timeout ?? Time.toolTimeoutMs,
  };
}

function withTarget(parameters: Record<string, unknown>, bindings: readonly Binding[]): Record<string, unknown> {
  const available = bindings.map(({ provider }) => describeInstance(provider)).join(', ');
  return {
    ...parameters,
    type: 'object',
    properties: {
      ...(parameters.properties as object | undefined),
      target: { type: 'string', description: `Instance ID; the most recently active one if left out. Available: ${available}` },
    },
  };
}

function describeInstance({ instance, metadata }: Provider): string {
  const title = typeof metadata?.title === 'string' ? ` (${cleanText(metadata.title, TITLE_LENGTH)})` : '';
  return `${instance}${title}`;
}

/** Instances of one provider may have the same tools. */
function isSibling(a: Pick<Provider, 'instance' | 'group'>, b: Pick<Provider, 'instance' | 'group'>): boolean {
  return a.group === b.group && a.instance !== undefined && b.instance !== undefined && a.instance !== b.instance;
}

const nameInTool = (name: string) => name.replace(/[^A-Za-z0-9_-]/g, '_');
