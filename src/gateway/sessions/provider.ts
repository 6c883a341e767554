/** A provider as it is registered, and its share in each session that it is bound to. */
import { ProviderError } from '../../tap/wire/errorCodes.ts';
import type { ToolDefinition } from '../../tap/wire/fields.ts';
import type { Hooks, Transform } from '../../tap/wire/hookShapes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { Hello } from '../../tap/wire/providerMessages.ts';
import { cleanRecord } from '../limits/cleanText.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import { type Grant, isShared, type Trust } from '../trust/grants.ts';
import { type CompiledRule, compileRules } from '../hooks/hookMatch.ts';
import type { ProviderLink } from './providerLink.ts';
import type { Session } from './session.ts';
import { type ArgumentSchema, compileArguments } from '../tools/toolSchema.ts';

const METADATA_LENGTH = 500;

export interface ProviderTool extends ArgumentSchema {
  readonly definition: ToolDefinition;
}
/** What a provider registers in a session; a copy in each, because updates may be for one session alone. Never changed in place. */
export interface Registration {
  readonly tools: ReadonlyMap<string, ProviderTool>;
  readonly rules: readonly CompiledRule[];
  readonly transforms: ReadonlyMap<string, Transform>;
  readonly context: string | undefined;
}

export interface Binding extends Registration {
  readonly provider: Provider;
  readonly session: Session;
  tools: Registration['tools'];
  rules: Registration['rules'];
  transforms: Registration['transforms'];
  context: Registration['context'];
}

export class Provider {
  readonly name: string;
  readonly instance: string | undefined;
  readonly trust: Trust;
  /** Instances of one name share tools, streams and limits, but never across levels of trust. */
  readonly group: string;
  readonly metadata: Record<string, unknown> | undefined;
  readonly startupContext: string | undefined;
  readonly subscriptions: ReadonlySet<string>;
  readonly concurrency: Hello['concurrency'];
  /** Bound to whatever its token may use; sessions that come later join by `session.ready`. */
  readonly isForAll: boolean;
  /** For sessions that are yet to come. */
  base: Registration;
  readonly bindings = new Map<string, Binding>();
  /** When it was last heard from in a way that says that somebody uses it; the largest is the most recent. */
  lastActive = 0;
  /** A reconnect token for it may be asked for by clients that use advanced fields. */
  readonly usesAdvancedFields: boolean;

  constructor(
    readonly id: string,
    readonly grant: Grant,
    readonly link: ProviderLink,
    readonly hello: Hello,
    options: { isForAll: boolean; base: Registration },
  ) {
    this.name = hello.name;
    this.instance = hello.instance;
    this.trust = grant.trust;
    this.group = JSON.stringify([this.trust, this.name]);
    this.metadata = hello.metadata && cleanRecord(hello.metadata, METADATA_LENGTH);
    this.startupContext = hello.startup_context;
    this.subscriptions = new Set(hello.subscribe);
    this.concurrency = hello.concurrency;
    this.isForAll = options.isForAll;
    this.base = options.base;
    this.usesAdvancedFields = advancedFields.some((field) => hello[field] !== undefined);
  }

  /** Whose limits it uses up. */
  get account(): string {
    return this.grant.account;
  }

  /** For limits that each of the programs with a shared token has for itself. They outlive a reconnect. */
  get budgetKey(): string {
    return isShared(this.grant) ? JSON.stringify([this.account, this.name]) : this.account;
  }

  /** What it registers beside tools counts only once the user has agreed. */
  get needsConsent(): boolean {
    return this.grant.kind === 'file';
  }

  bind(session: Session): Binding {
    const binding: Binding = { ...this.base, provider: this, session };
    this.bindings.set(session.id, binding);
    session.bindings.add(binding);
    return binding;
  }

  unbind(binding: Binding): void {
    this.bindings.delete(binding.session.id);
    binding.session.bindings.delete(binding);
  }
}

const advancedFields = ['instance', 'reconnectToken', 'subscribe', 'hooks', 'context', 'concurrency'] as const;

/** Throws a ProviderError that names the tool, or when its schemas are too much for the budget. */
export function compileTools(definitions: readonly ToolDefinition[], budget: CompileBudget): Map<string, ProviderTool> {
  const schemas = compileArguments(definitions, budget);
  const tools = new Map(definitions.map((definition, at) => [definition.name, { definition, ...(schemas[at] as ArgumentSchema) }]));
  checkSchemas(tools);
  return tools;
}

/** Throws a ProviderError. Each of them may be known already, or have come by a message of its own. */
export function checkSchemas(tools: ReadonlyMap<string, ProviderTool>): void {
  if ([...tools.values()].reduce((sum, { work }) => sum + work, 0) > Limit.compileWork)
    throw new ProviderError('PAYLOAD_TOO_LARGE', 'the schemas of all tools of a provider together are too large');
}

export interface CompiledHooks {
  readonly rules: readonly CompiledRule[] | undefined;
  readonly transforms: Hooks['transforms'];
}

/** Throws a ProviderError that names the rule, or when its patterns are too much for the budget. */
export function compileHooks({ onPreToolUse, transforms }: Hooks, budget: CompileBudget): CompiledHooks {
  return { rules: onPreToolUse && compileRules(onPreToolUse, budget), transforms };
}

/** `null` takes a section's transform back. */
export function mergeHooks(current: Pick<Registration, 'rules' | 'transforms'>, hooks: CompiledHooks) {
  const transforms = new Map(current.transforms);
  for (const [section, transform] of Object.entries(hooks.transforms ?? {})) {
    if (transform) transforms.set(section, transform);
    else transforms.delete(section);
  }
  return { rules: hooks.rules ?? current.rules, transforms };
}
