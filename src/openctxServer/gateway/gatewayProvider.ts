/**
 * A provider of the tap gateway as a provider of context: its tools `openctx_items`, `openctx_mentions` and `openctx_mention_items`, or with these
 * at the end of their names, are called as any session calls them. The user has named the provider, which is the consent to these calls. Nobody
 * is there to be asked more, so no tool of a paired page is called, and what a hook denies is denied.
 */
import * as z from 'zod/mini';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { type Item, laterItem, type Mention, mention as mentionShape } from '../../openctx/protocol/later.ts';
import { listed, whatIsWrong } from '../../openctx/protocol/listed.ts';
import type { Resource } from '../../openctx/protocol/messages.ts';
import { seedItem } from '../../openctx/protocol/seed.ts';
import type { OwnedSession } from '../../tap/owner/ownerClient.ts';
import type { SessionTools } from '../../tap/owner/sessionTools.ts';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import type { MentionQuery, ResourceItem, ServedProvider } from '../servedProvider.ts';

const TOOLS_TIMEOUT_MS = 5_000;
const toolNames = { items: 'openctx_items', mentions: 'openctx_mentions', mentionItems: 'openctx_mention_items' } as const;

export class GatewayProvider implements ServedProvider {
  readonly path: string;

  /** `name`: of the provider at the gateway. The session is shared by all. */
  constructor(
    readonly name: string,
    private readonly session: Pick<OwnedSession, 'call' | 'evaluateHooks'>,
    private readonly tools: Pick<SessionTools, 'list'>,
    private readonly logger: Logger,
  ) {
    this.path = `provider/${encodeURIComponent(name)}`;
  }

  async itemsOf(resource: Resource, signal: AbortSignal): Promise<ResourceItem[]> {
    const items = (await this.#ask('items', resource, seedItem, signal)) ?? [];
    return items.map(({ range, ...item }) => ({ ...item, ...(range && { range }) }));
  }

  async mentions(query: MentionQuery, signal: AbortSignal): Promise<Mention[]> {
    return [...((await this.#ask('mentions', query, mentionShape, signal)) ?? [])];
  }

  async itemsOfMention(mention: Mention, signal: AbortSignal): Promise<Item[]> {
    return [...((await this.#ask('mentionItems', { mention }, laterItem, signal)) ?? [])];
  }

  /** Undefined: it has no such tool. */
  async #ask<T>(
    which: keyof typeof toolNames,
    args: object,
    shape: z.ZodMiniType<T>,
    signal: AbortSignal,
  ): Promise<readonly T[] | undefined> {
    const tool = await this.#find(toolNames[which]);
    if (!tool) return undefined;
    const decision = await this.session.evaluateHooks(tool.name, { ...args });
    if (decision.decision === 'deny')
      throw new UserError(
        `${decision.provider === undefined ? 'A rule' : `The provider “${decision.provider}”`} denies this: ${decision.reason ?? 'without a reason'}`,
      );
    signal.throwIfAborted();
    const outcome = await this.session.call(tool.name, args, signal, undefined, tool);
    if (!outcome.ok) throw new UserError(`${tool.name} has failed: ${outcome.error}`);
    const { success, data, error } = z.array(z.unknown()).safeParse('data' in outcome ? parsed(outcome.data) : undefined);
    if (!success) throw new UserError(`The result of ${tool.name} is not as OpenCtx says: ${whatIsWrong(error)}`);
    const { found, leftOut } = listed(data, shape);
    // An answer of OpenCtx has a result or an error: beside good items, what is wrong can only be said here.
    if (leftOut && found.length === 0) throw new UserError(`The result of ${tool.name} is not as OpenCtx says: ${leftOut.message}`);
    if (leftOut) this.logger.warn(`${this.name}, ${tool.name}: ${leftOut.message}`);
    return found;
  }

  async #find(name: string): Promise<OfferedTool | undefined> {
    let all: readonly OfferedTool[];
    try {
      all = await this.tools.list(TOOLS_TIMEOUT_MS);
    } catch (error) {
      throw new UserError(`There is no connection to the gateway: ${messageOf(error)}`);
    }
    const own = all.filter(({ provider }) => provider === this.name);
    if (own.length === 0) throw new UserError(`The provider “${this.name}” is not at the gateway.`);
    const tool = own.find((one) => one.name === name || one.name.endsWith(`_${name}`));
    if (tool?.trust === 'external')
      throw new UserError(
        `“${this.name}” is a paired page or program. Nobody is there to be asked about its tools, so they are not called.`,
      );
    return tool;
  }
}

/** A tool may answer with JSON as text. */
function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
