/** `tools.update`, `hooks.update`, `context.update`, `filter.set`: what a bound provider changes, and how it is told that the change is in force. */
import type { Clock } from '../../base/clock.ts';
import { ProviderError } from '../../tap/wire/errorCodes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { ProviderMessages } from '../../tap/wire/providerMessages.ts';
import { checkContext, checkHooks } from '../trust/capabilities.ts';
import { Filter } from '../streams/filters.ts';
import type { Gateway } from '../gateway.ts';
import { type Binding, compileHooks, compileTools, mergeHooks, type Provider, type Registration } from '../sessions/provider.ts';
import { checkDuplicates, findConflict, toError, updatedTools } from '../tools/toolSet.ts';

type UpdateType = 'tools.update' | 'hooks.update' | 'context.update' | 'filter.set';
export type Update = ProviderMessages[UpdateType];

/** A filter or a context is in force at once; its acknowledgement still comes after what is under way. */
const ACK_MS = 10;

export class Updates {
  /** Updates that have not been acknowledged, as provider, session and type. */
  readonly #inFlight = new Map<Provider, Set<string>>();

  constructor(
    private readonly gateway: Gateway,
    private readonly clock: Clock,
  ) {}

  /** Throws a {@link ProviderError}; then nothing has changed. */
  apply(provider: Provider, update: Update): void {
    const targets = targetsOf(provider, update.sessionId);
    const inFlight = this.#inFlight.get(provider) ?? new Set();
    const keyOf = (binding: Binding) => JSON.stringify([binding.session.id, update.type]);
    const { requestId } = update;
    if (requestId !== undefined && targets.some((binding) => inFlight.has(keyOf(binding)))) {
      throw new ProviderError('RATE_LIMITED', `a ${update.type} of this session is not acknowledged yet`);
    }
    this.#change(provider, update, targets);
    for (const binding of targets) {
      const { session } = binding;
      const revision = ++session.updates;
      if (requestId === undefined) {
        if (update.type === 'tools.update') this.gateway.announcer.changed(session);
        continue;
      }
      const key = keyOf(binding);
      this.#inFlight.set(provider, inFlight.add(key));
      const acknowledge = () => {
        inFlight.delete(key);
        if (!inFlight.size) this.#inFlight.delete(provider);
        provider.link.send({ type: 'ack', requestId, sessionId: session.id, revision });
      };
      if (update.type === 'tools.update') this.gateway.announcer.changed(session, acknowledge);
      else this.clock.setTimer(acknowledge, ACK_MS);
    }
  }

  #change(provider: Provider, update: Update, targets: readonly Binding[]): void {
    const isGeneral = update.sessionId === undefined;
    const budget = this.gateway.compileBudgets.of(provider);
    switch (update.type) {
      case 'tools.update': {
        checkDuplicates(update.tools ?? []);
        const changed = compileTools(update.tools ?? [], budget);
        const next = new Map(targets.map((binding) => [binding, updatedTools(binding.tools, changed, update.remove)]));
        const base = updatedTools(provider.base.tools, changed, update.remove);
        for (const [binding, tools] of next) {
          const conflict = findConflict(binding.session, provider, tools, binding);
          if (conflict) throw toError(conflict, binding.session);
        }
        for (const [binding, tools] of next) binding.tools = tools;
        if (isGeneral) provider.base = { ...provider.base, tools: base };
        return;
      }
      case 'hooks.update': {
        checkHooks(provider.trust, update);
        const hooks = compileHooks(update, budget);
        const next = targets.map((binding) => ({ binding, merged: limited(mergeHooks(binding, hooks)) }));
        const base = limited(mergeHooks(provider.base, hooks));
        for (const { binding, merged } of next) Object.assign(binding, merged);
        if (isGeneral) provider.base = { ...provider.base, ...base };
        this.gateway.askConsent(provider, ['hooks']);
        return;
      }
      case 'context.update': {
        checkContext(provider.trust);
        const context = update.context ?? undefined;
        for (const binding of targets) binding.context = context;
        if (isGeneral) provider.base = { ...provider.base, context };
        this.gateway.askConsent(provider, ['context']);
        return;
      }
      case 'filter.set': {
        const filter = update.rules.length ? new Filter(update.rules, budget) : undefined;
        for (const { session } of targets) session.streams.setFilter(provider, update.stream ?? provider.name, filter);
      }
    }
  }
}

/** The bindings that a message with this `sessionId` is about; absent: all. */
export function targetsOf(provider: Provider, sessionId: string | undefined): Binding[] {
  return sessionId === undefined ? [...provider.bindings.values()] : [bindingOf(provider, sessionId)];
}

export function bindingOf(provider: Provider, sessionId: string): Binding {
  const binding = provider.bindings.get(sessionId);
  if (!binding) throw new ProviderError('INVALID_SESSION', `this provider is not bound to session ${JSON.stringify(sessionId)}`, sessionId);
  return binding;
}

function limited<R extends Pick<Registration, 'transforms'>>(registration: R): R {
  if (registration.transforms.size > Limit.transforms)
    throw new ProviderError('PAYLOAD_TOO_LARGE', `a provider has transforms for at most ${Limit.transforms} sections`);
  return registration;
}
