/** The tools of a session as its model is offered them: those of all its providers together. */
import { isRecord } from '../../base/isRecord.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { ToolDefinition } from '../../tap/wire/fields.ts';
import { Limit, Time } from '../../tap/wire/limits.ts';
import type { OfferedBy, OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { cleanText } from '../limits/cleanText.ts';
import type { ProviderTool } from '../registrations/registration.ts';
import type { Binding, Provider, Session } from '../sessions/session.ts';
import { nameInTool } from '../sessions/toolConflict.ts';

const DESCRIPTION_LENGTH = 4000;
const TITLE_LENGTH = 80;

export interface MergedTool {
  readonly kind: 'provider' | 'instances';
  readonly name: string;
  /** The providers that can answer. With more than one, they are instances of one provider, chosen by `target`. */
  readonly bindings: readonly Binding[];
  /** The model may choose the instance, which is an argument of the gateway's. Not where the provider takes one of that name itself. */
  readonly hasTarget: boolean;
}

export function mergeTools(session: Session): Map<string, MergedTool> {
  const tools = new Map<string, MergedTool>();
  const groups = groupOf(session);
  for (const binding of session.bindings) {
    for (const name of binding.tools.keys()) {
      if (tools.has(name) || session.agentTools.has(name)) continue;
      const bindings = (groups.get(binding.provider.group) ?? []).filter((other) => other.tools.has(name));
      const properties = binding.tools.get(name)?.definition.parameters.properties;
      const ownTarget = isRecord(properties) && 'target' in properties;
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

export function offerTools(tools: ReadonlyMap<string, MergedTool>): OfferedTool[] {
  return [...tools.values()].map(offer);
}

export function isSameOffer(a: readonly OfferedTool[], b: readonly OfferedTool[]): boolean {
  return sameJson(a, b);
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

/** Offers of tools with a single provider. They stay the same over changes of the set. */
const offers = new WeakMap<ProviderTool, OfferedTool>();

function offer(merged: MergedTool): OfferedTool {
  const tool = merged.kind === 'provider' && !merged.hasTarget ? merged.bindings[0]?.tools.get(merged.name) : undefined;
  if (!tool) return offerAnew(merged);
  const known = offers.get(tool) ?? offerAnew(merged);
  offers.set(tool, known);
  return known;
}

/** As the owner is told: of the first of its instances. */
export function offeredBy({ bindings }: MergedTool): OfferedBy {
  const { provider } = bindings[0] as Binding;
  const { origin, kind: token } = provider.grant;
  return {
    provider: cleanText(provider.name, TITLE_LENGTH),
    trust: provider.trust,
    ...(origin !== undefined && { origin }),
    ...(token === 'spawn' && { spawned: true }),
  };
}

function offerAnew(merged: MergedTool): OfferedTool {
  const { kind, name, bindings, hasTarget } = merged;
  const { provider } = bindings[0] as Binding;
  const common = { name, ...offeredBy(merged) };
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
    parameters: definition.parameters,
    ...(hasTarget && { instances: bindings.map(({ provider: one }) => instanceOf(one)) }),
    timeoutMs: definition.timeout ?? Time.toolTimeoutMs,
    // A host may ask the user less about tools that only read, so only internal providers are believed.
    ...(provider.trust === 'internal' && definition.annotations?.readOnlyHint && { readOnly: true }),
    ...(provider.trust !== 'external' && saidOf(definition)),
  };
}

function saidOf({ title = '', annotations, outputSchema }: ToolDefinition): Pick<OfferedTool, 'title' | 'annotations' | 'outputSchema'> {
  const shown = cleanText(title, TITLE_LENGTH);
  return { ...(shown !== '' && { title: shown }), ...(annotations && { annotations }), ...(outputSchema && { outputSchema }) };
}

function instanceOf({ instance = '', metadata }: Provider): { name: string; title?: string } {
  return { name: instance, ...(typeof metadata?.title === 'string' && { title: cleanText(metadata.title, TITLE_LENGTH) }) };
}
