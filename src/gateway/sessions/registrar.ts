/** Handles `hello`: checks the request and binds the provider, or says why not. Nothing changes until all checks have passed. */
import { randomBytes } from 'node:crypto';
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import { PROTOCOL_VERSION, Time } from '../../tap/wire/limits.ts';
import type { Hello } from '../../tap/wire/providerMessages.ts';
import type { CompileBudgets } from '../limits/compileBudget.ts';
import { compileHooks, compileTools, emptyRegistration, mergeHooks, type Registration } from '../registrations/registration.ts';
import type { ProviderLink } from './providerLink.ts';
import type { Claim, Reconnects } from './reconnects.ts';
import { compilerOf, groupOf, Provider, type Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { type Conflict, findConflict, toError } from './toolConflict.ts';
import { checkHello } from '../trust/capabilities.ts';
import type { Grant } from '../trust/tokenGrants.ts';

export interface HelloRequest {
  readonly hello: Hello;
  readonly grant: Grant;
  readonly link: ProviderLink;
  /** The id of this connection's provider, if it has said hello before. */
  readonly providerId: string | undefined;
  /** From an `auth` with a reconnect token. */
  readonly claim: Claim | undefined;
}

/** The request after the checks that concern the peer alone. */
interface Plan {
  readonly provider: Provider;
  readonly sessions: readonly Session[];
  readonly claim: Claim | undefined;
}

export interface RegistrarOptions {
  readonly sessions: Sessions;
  readonly reconnects: Reconnects;
  readonly compileBudgets: CompileBudgets;
  findProvider(group: string, instance: string): Provider | undefined;
  disconnect(provider: Provider, code: number, reason: string): void;
  /** After all checks. */
  add(provider: Provider, sessions: readonly Session[]): void;
}

export class Registrar {
  constructor(private readonly options: RegistrarOptions) {}

  /**
   * Throws a {@link ProviderError}. Returns a promise only where a conflicting peer with the same token and name must be pinged first. If
   * that peer does not answer, this one replaces it.
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
        if (!(await rival.link.isAlive(Time.pingMs))) this.options.disconnect(rival, CloseCode.Replaced, 'it did not answer');
      }),
    );
    // The state may have changed during the ping.
    const plan = this.#plan(request);
    const [conflict] = this.#conflicts(plan);
    if (conflict) throw toError(conflict.conflict, conflict.session);
    return this.#commit(plan);
  }

  #plan({ hello, grant, link, providerId, claim: authenticated }: HelloRequest): Plan {
    const { reconnects, findProvider, compileBudgets } = this.options;
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      throw new ProviderError(
        ErrorCode.UnsupportedVersion,
        `this gateway speaks protocol version ${PROTOCOL_VERSION}, not ${hello.protocolVersion}: send protocolVersion ${PROTOCOL_VERSION}`,
      );
    }
    if (grant.providerName !== undefined && hello.name !== grant.providerName)
      throw new ProviderError(ErrorCode.Unauthorized, `this token is for the provider ${JSON.stringify(grant.providerName)}`);
    checkHello(grant.trust, hello);
    const identity = { name: hello.name, instance: hello.instance };
    const claim =
      (hello.reconnectToken ? reconnects.find(hello.reconnectToken, identity, grant.trust) : undefined) ??
      (authenticated && authenticated.provider.name === hello.name && authenticated.provider.instance === hello.instance
        ? authenticated
        : undefined);
    const rival = hello.instance === undefined ? undefined : findProvider(groupOf(grant, hello.name), hello.instance);
    if (rival && rival.link !== link && rival !== claim?.provider) {
      throw new ProviderError(
        ErrorCode.DuplicateInstance,
        `another connection is ${JSON.stringify(`${hello.name}/${hello.instance}`)}; show its reconnectToken to take over`,
      );
    }
    const { sessions, isForAll } = this.#sessions(hello, grant, claim);
    const restored = claim?.provider.base ?? emptyRegistration;
    const budget = compileBudgets.of(compilerOf({ grant, link }));
    const base: Registration = {
      tools: hello.tools ? compileTools(hello.tools, budget) : restored.tools,
      ...(hello.hooks
        ? mergeHooks(emptyRegistration, compileHooks(hello.hooks, budget))
        : { rules: restored.rules, transforms: restored.transforms }),
      context: hello.context ?? restored.context,
    };
    const id = claim?.provider.id ?? providerId ?? `p-${randomBytes(6).toString('hex')}`;
    return { provider: new Provider(id, grant, link, hello, { isForAll, base }), sessions, claim };
  }

  #sessions({ session: asked }: Hello, grant: Grant, claim: Claim | undefined): { sessions: Session[]; isForAll: boolean } {
    const usable = this.options.sessions.usableBy(grant);
    if (asked !== undefined && asked !== 'all') {
      const found = usable.find(({ id }) => id === asked);
      if (!found)
        throw new ProviderError(
          ErrorCode.InvalidSession,
          `Session ${JSON.stringify(asked)} does not exist, or is not for this token: name one of the last list of sessions, or "all"`,
        );
      return { sessions: [found], isForAll: false };
    }
    if (asked === undefined && claim) {
      const restored = usable.filter(({ id }) => claim.sessionIds.includes(id));
      if (restored.length) return { sessions: restored, isForAll: claim.provider.isForAll };
    }
    if (grant.trust === 'external')
      throw new ProviderError(ErrorCode.InvalidSession, 'an external provider must name its session: one of the last list of sessions');
    if (!usable.length)
      throw new ProviderError(
        ErrorCode.InvalidSession,
        'there is no session yet: wait for the next list of sessions, then send hello again',
      );
    return { sessions: usable, isForAll: grant.kind !== 'spawn' };
  }

  #conflicts({ provider, sessions, claim }: Plan): { conflict: Conflict; session: Session }[] {
    return sessions.flatMap((session) => {
      const conflict = findConflict(session, provider, provider.base.tools, claim?.provider.bindings.get(session.id));
      return conflict ? [{ conflict, session }] : [];
    });
  }

  #commit({ provider, sessions, claim }: Plan): Provider {
    const { reconnects, disconnect, add } = this.options;
    if (provider.hello.reconnectToken && claim) reconnects.use(provider.hello.reconnectToken);
    if (claim) disconnect(claim.provider, CloseCode.Replaced, 'another connection took over with the reconnect token');
    add(provider, sessions);
    return provider;
  }
}
