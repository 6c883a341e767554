/** `hello`: from what a peer asks for to a provider that is bound, or a reason why not. Nothing changes before everything is checked. */
import { randomBytes } from 'node:crypto';
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import { ProviderError } from '../../tap/wire/errorCodes.ts';
import { PROTOCOL_VERSION, Time } from '../../tap/wire/limits.ts';
import type { Hello } from '../../tap/wire/providerMessages.ts';
import { checkHello } from '../trust/capabilities.ts';
import type { Gateway } from '../gateway.ts';
import type { Grant } from '../trust/grants.ts';
import { compileHooks, compileTools, mergeHooks, Provider, type Registration } from './provider.ts';
import type { ProviderLink } from './providerLink.ts';
import type { Claim } from '../trust/reconnects.ts';
import type { Session } from './session.ts';
import { checkDuplicates, type Conflict, findConflict, toError } from '../tools/toolSet.ts';

const nothing: Registration = { tools: new Map(), rules: [], transforms: new Map(), context: undefined };

export interface HelloRequest {
  readonly hello: Hello;
  readonly grant: Grant;
  readonly link: ProviderLink;
  /** Of this connection, from its first hello on. */
  readonly providerId: string | undefined;
  /** From an `auth` with a reconnect token. */
  readonly claim: Claim | undefined;
}

/** What is asked for, checked as far as it concerns the peer alone. */
interface Plan {
  readonly provider: Provider;
  readonly sessions: readonly Session[];
  readonly claim: Claim | undefined;
}

export class Registrar {
  constructor(private readonly gateway: Gateway) {}

  /**
   * Throws a {@link ProviderError}. A promise only where an older peer of the same token and name, in whose way this one is, must be
   * pinged first: if it is dead, this one takes its place.
   */
  register(request: HelloRequest): Provider | Promise<Provider> {
    const plan = this.#plan(request);
    const conflicts = this.#conflicts(plan);
    if (!conflicts.length) return this.#commit(plan);
    const rivals = new Set(conflicts.map(({ conflict }) => conflict.with));
    const replaceable = [...rivals].every(
      (rival) => rival && rival.grant.key === request.grant.key && rival.name === request.hello.name && rival.trust !== 'internal',
    );
    const [first] = conflicts as [(typeof conflicts)[number]];
    if (!replaceable) throw toError(first.conflict, first.session);
    return this.#replaceDead([...rivals] as Provider[], request);
  }

  async #replaceDead(rivals: Provider[], request: HelloRequest): Promise<Provider> {
    await Promise.all(
      rivals.map(async (rival) => {
        if (!(await rival.link.isAlive(Time.pingMs))) this.gateway.disconnect(rival, CloseCode.Replaced, 'it did not answer');
      }),
    );
    // Anything may have changed while the ping was under way.
    const plan = this.#plan(request);
    const [conflict] = this.#conflicts(plan);
    if (conflict) throw toError(conflict.conflict, conflict.session);
    return this.#commit(plan);
  }

  #plan({ hello, grant, link, providerId, claim: authenticated }: HelloRequest): Plan {
    const { gateway } = this;
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      throw new ProviderError(
        'UNSUPPORTED_VERSION',
        `this gateway speaks protocol version ${PROTOCOL_VERSION}, not ${hello.protocolVersion}`,
      );
    }
    if (grant.providerName !== undefined && hello.name !== grant.providerName)
      throw new ProviderError('UNAUTHORIZED', `this token is for the provider ${JSON.stringify(grant.providerName)}`);
    checkHello(grant.trust, hello);
    checkDuplicates(hello.tools ?? []);
    const identity = { name: hello.name, instance: hello.instance };
    const claim =
      (hello.reconnectToken ? gateway.reconnects.find(hello.reconnectToken, identity, grant.trust) : undefined) ??
      (authenticated && authenticated.provider.name === hello.name && authenticated.provider.instance === hello.instance
        ? authenticated
        : undefined);
    const rival = hello.instance === undefined ? undefined : gateway.findProvider(grant.trust, hello.name, hello.instance);
    if (rival && rival.link !== link && rival !== claim?.provider) {
      throw new ProviderError(
        'DUPLICATE_INSTANCE',
        `another connection is ${JSON.stringify(`${hello.name}/${hello.instance}`)}; show its reconnectToken to take over`,
      );
    }
    const { sessions, isForAll } = this.#sessions(hello, grant, claim);
    const restored = claim?.provider.base ?? nothing;
    const budget = gateway.compileBudgets.of({ grant, link });
    const base: Registration = {
      tools: hello.tools ? compileTools(hello.tools, budget) : restored.tools,
      ...(hello.hooks
        ? mergeHooks(nothing, compileHooks(hello.hooks, budget))
        : { rules: restored.rules, transforms: restored.transforms }),
      context: hello.context ?? restored.context,
    };
    const id = claim?.provider.id ?? providerId ?? `p-${randomBytes(6).toString('hex')}`;
    return { provider: new Provider(id, grant, link, hello, { isForAll, base }), sessions, claim };
  }

  #sessions({ session: asked }: Hello, grant: Grant, claim: Claim | undefined): { sessions: Session[]; isForAll: boolean } {
    const usable = this.gateway.sessions.usableBy(grant);
    if (asked !== undefined && asked !== 'all') {
      const found = usable.find(({ id }) => id === asked);
      if (!found) throw new ProviderError('INVALID_SESSION', `Session ${JSON.stringify(asked)} does not exist, or is not for this token`);
      return { sessions: [found], isForAll: false };
    }
    if (asked === undefined && claim) {
      const restored = usable.filter(({ id }) => claim.sessionIds.includes(id));
      if (restored.length) return { sessions: restored, isForAll: claim.provider.isForAll };
    }
    if (grant.trust === 'external') throw new ProviderError('INVALID_SESSION', 'an external provider must name its session');
    if (!usable.length) throw new ProviderError('INVALID_SESSION', 'there is no session yet');
    return { sessions: usable, isForAll: grant.kind !== 'spawn' };
  }

  #conflicts({ provider, sessions, claim }: Plan): { conflict: Conflict; session: Session }[] {
    return sessions.flatMap((session) => {
      const conflict = findConflict(session, provider, provider.base.tools, claim?.provider.bindings.get(session.id));
      return conflict ? [{ conflict, session }] : [];
    });
  }

  #commit({ provider, sessions, claim }: Plan): Provider {
    const { gateway } = this;
    if (provider.hello.reconnectToken && claim) gateway.reconnects.use(provider.hello.reconnectToken);
    if (claim) gateway.disconnect(claim.provider, CloseCode.Replaced, 'another connection took over with the reconnect token');
    if (provider.grant.kind === 'paired') provider.grant.sessionId = sessions[0]?.id;
    gateway.add(provider, sessions);
    return provider;
  }
}
