/** Which agents may be used: their protected resources, and which of them have a token. Tokens are passed to the agents and not kept. */
import { ErrorCode } from '../../../ahp/common/errors.ts';
import type { ProtectedResourceMetadata } from '../../../ahp/common/shapes.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import * as l10n from '../../../base/l10n.ts';
import { agentCall } from './agentCall.ts';
import type { Agent } from '../../agents/agent.ts';

export class Authentication {
  readonly #accepted = new Map<Agent, Set<string>>();

  constructor(private readonly agents: readonly Agent[]) {}

  /** Throws AuthRequired, with the resources that still need a token. */
  require(agent: Agent): void {
    const accepted = this.#accepted.get(agent);
    const missing = (agent.info.protectedResources ?? []).filter(
      ({ resource, required }) => required !== false && !accepted?.has(resource),
    );
    if (missing.length > 0) throw authRequired(l10n.t`${agent.info.displayName} needs you to sign in`, missing);
  }

  /**
   * Offers the token to every agent that declares the resource. An empty one takes back what was offered before. Rejects with InvalidParams
   * when no agent declares the resource, with AuthRequired when none accepts the token.
   */
  async authenticate({ resource, token }: { resource: string; token: string }): Promise<void> {
    const declared = (agent: Agent) => (agent.info.protectedResources ?? []).filter((metadata) => metadata.resource === resource);
    const agents = this.agents.filter((agent) => declared(agent).length > 0);
    if (agents.length === 0) throw new RpcError(ErrorCode.InvalidParams, `resource: no agent uses ${resource}`);
    if (token === '') return this.#takeBack(resource, agents);
    const takers = await Promise.all(
      agents.map(async (agent) => ((await agentCall(agent, agent.authenticate(resource, token))) ? [agent] : [])),
    );
    if (takers.flat().length === 0) throw authRequired(l10n.t('the token was not accepted'), agents.flatMap(declared).slice(0, 1));
    for (const agent of takers.flat()) this.#accepted.set(agent, (this.#accepted.get(agent) ?? new Set()).add(resource));
  }

  #takeBack(resource: string, agents: readonly Agent[]): void {
    for (const agent of agents) {
      this.#accepted.get(agent)?.delete(resource);
      agent.forgetToken?.(resource);
    }
  }
}

function authRequired(message: string, resources: ProtectedResourceMetadata[]): RpcError {
  return new RpcError(ErrorCode.AuthRequired, message, { resources });
}
