/** Applies and acknowledges what a bound provider changes: `tools.update`, `hooks.update`, `context.update` and `filter.set`. */
import type { Clock } from '../../base/clock.ts';
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import type { ProviderMessages } from '../../tap/wire/providerMessages.ts';
import type { CompileBudgets } from '../limits/compileBudget.ts';
import { compileHooks, compileTools, mergeHooks, updatedTools } from '../registrations/registration.ts';
import { type Binding, compilerOf, type Provider, type Session } from './session.ts';
import { findConflict, toError } from './toolConflict.ts';
import { Filter } from '../streams/filters.ts';
import { checkContext, checkHooks } from '../trust/capabilities.ts';

type UpdateType = 'tools.update' | 'hooks.update' | 'context.update' | 'filter.set';
export type Update = ProviderMessages[UpdateType];

/** Delay of an acknowledgement, so that it follows messages that are under way. The change itself is in force at once. */
const ACK_MS = 10;

export interface UpdatesOptions {
  readonly clock: Clock;
  readonly compileBudgets: CompileBudgets;
  /** `told` is called when the session's owner was told. */
  toolsChanged(session: Session, told?: () => void): void;
  askConsent(provider: Provider): void;
}

export class Updates {
  /** Keys (session and type) of updates that are not acknowledged yet. */
  readonly #inFlight = new Map<Provider, Set<string>>();

  constructor(private readonly options: UpdatesOptions) {}

  /** Throws a {@link ProviderError}. Then nothing has changed. */
  apply(provider: Provider, update: Update): void {
    const { toolsChanged, clock } = this.options;
    const targets = provider.targetsOf(update.sessionId);
    const inFlight = this.#inFlight.get(provider) ?? new Set();
    const keyOf = (binding: Binding) => JSON.stringify([binding.session.id, update.type]);
    const { requestId } = update;
    if (requestId !== undefined && targets.some((binding) => inFlight.has(keyOf(binding)))) {
      throw new ProviderError(ErrorCode.RateLimited, `a ${update.type} of this session is not acknowledged yet`);
    }
    this.#change(provider, update, targets);
    for (const binding of targets) {
      const { session } = binding;
      const revision = ++session.updates;
      if (requestId === undefined) {
        if (update.type === 'tools.update') toolsChanged(session);
        continue;
      }
      const key = keyOf(binding);
      this.#inFlight.set(provider, inFlight.add(key));
      const acknowledge = () => {
        inFlight.delete(key);
        if (!inFlight.size) this.#inFlight.delete(provider);
        provider.link.send({ type: 'ack', requestId, sessionId: session.id, revision });
      };
      if (update.type === 'tools.update') toolsChanged(session, acknowledge);
      else clock.setTimer(acknowledge, ACK_MS);
    }
  }

  #change(provider: Provider, update: Update, targets: readonly Binding[]): void {
    const isGeneral = update.sessionId === undefined;
    const budget = this.options.compileBudgets.of(compilerOf(provider));
    switch (update.type) {
      case 'tools.update': {
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
        const next = targets.map((binding) => ({ binding, merged: mergeHooks(binding, hooks) }));
        const base = mergeHooks(provider.base, hooks);
        for (const { binding, merged } of next) Object.assign(binding, merged);
        if (isGeneral) provider.base = { ...provider.base, ...base };
        this.options.askConsent(provider);
        return;
      }
      case 'context.update': {
        checkContext(provider.trust);
        const context = update.context ?? undefined;
        for (const binding of targets) binding.context = context;
        if (isGeneral) provider.base = { ...provider.base, context };
        this.options.askConsent(provider);
        return;
      }
      case 'filter.set': {
        const filter = update.rules.length ? new Filter(update.rules, budget) : undefined;
        for (const { session } of targets) session.streams.setFilter(provider, update.stream ?? provider.name, filter);
      }
    }
  }
}
