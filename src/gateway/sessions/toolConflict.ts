/** Which names of tools a provider cannot have in a session. */
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import type { Binding, Provider, Session } from './session.ts';

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
  return new ProviderError(ErrorCode.ToolConflict, conflict.message, session.id);
}

/** A provider's name as part of the name of a tool. */
export const nameInTool = (name: string) => name.replace(/[^A-Za-z0-9_-]/g, '_');

/** Instances of one provider may have the same tools. */
function isSibling(a: Pick<Provider, 'instance' | 'group'>, b: Pick<Provider, 'instance' | 'group'>): boolean {
  return a.group === b.group && a.instance !== undefined && b.instance !== undefined && a.instance !== b.instance;
}
