/** A session of an agent, its providers, and the bindings between them. */
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import type { OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';
import type { OwnerQuestion, QuestionParams, QuestionResult } from '../../tap/wire/owner/ownerQuestions.ts';
import type { Span } from '@opentelemetry/api';
import type { RecordKind } from '../../tap/wire/records/record.ts';
import type { Hello } from '../../tap/wire/providerMessages.ts';
import { cleanRecord } from '../limits/cleanText.ts';
import type { KeptSession } from '../journals/journals.ts';
import type { SessionJournal } from '../journals/sessionJournal.ts';
import type { Registration } from '../registrations/registration.ts';
import { InjectQueue } from './injectQueue.ts';
import type { ProviderLink } from './providerLink.ts';
import { keepStreams } from '../streams/keepStreams.ts';
import { Streams } from '../streams/streams.ts';
import { noTracing, SESSION_ATTRIBUTE, type SpanStart, traceparentOf, type Tracing } from '../traces/tracing.ts';
import { type Grant, isShared, type Trust } from '../trust/tokenGrants.ts';

const METADATA_LENGTH = 500;

/** The owner of a session answers no questions of this kind. */
export class CannotAnswer extends Error {
  override readonly name = 'CannotAnswer';
}

/** The process that a session lives in. */
export interface SessionOwner {
  readonly name: string;
  notify<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void;
  /** Rejects with {@link CannotAnswer}, or with why there is no answer this time. */
  ask<Q extends OwnerQuestion>(question: Q, params: QuestionParams<Q>): Promise<QuestionResult<Q>>;
}

/** A session as its owner registered it. */
export class Session {
  label = '';
  cwd: string | undefined;
  foreground = false;
  /** Otherwise nothing can be sent to it. */
  hasTurns = true;
  agentTools: ReadonlySet<string> = new Set();
  /** In the order of registration. */
  readonly bindings = new Set<Binding>();
  /** The revision of acknowledgements. It only rises, also over a rebind. */
  updates = 0;
  readonly streams = new Streams();
  readonly inbox: InjectQueue;
  /** Set while the session is being torn down, with the providers that are not ready yet. */
  ending: { waitingFor: Set<Binding>; finish: () => void; finished: Promise<void> } | undefined;
  /** Its owner has gone, and may come back. Until then it hears nothing. */
  isLeft = false;
  /** Where what outlives the gateway is kept. */
  readonly journal: SessionJournal | undefined;
  /** Emitters that it had at a gateway that was killed. */
  readonly kept: Pick<KeptSession, 'emitters' | 'lost' | 'isRecent'> | undefined;

  /** Keeps something about it for later. */
  readonly note: (kind: RecordKind, data: Record<string, unknown>) => void;
  readonly tracing: Tracing;

  constructor(
    readonly id: string,
    readonly owner: SessionOwner,
    {
      journal,
      kept,
      note = () => undefined,
      tracing = noTracing,
    }: {
      readonly journal?: SessionJournal;
      readonly kept?: KeptSession | undefined;
      readonly note?: Session['note'];
      readonly tracing?: Tracing;
    } = {},
  ) {
    this.note = note;
    this.tracing = tracing;
    this.journal = journal;
    this.kept = kept && { emitters: kept.emitters, lost: kept.lost, isRecent: kept.isRecent };
    if (journal) keepStreams(this.streams, journal, kept);
    this.inbox = new InjectQueue({
      isOpen: () => !this.ending && !this.isLeft,
      deliver: ({ span, ...inject }) => {
        const traceparent = span && traceparentOf(span);
        owner.notify('push/inject', { sessionId: id, ...inject, ...(traceparent !== undefined && { traceparent }) });
      },
    });
  }

  /** The caller ends it. */
  startSpan(name: string, start: SpanStart = {}): Span {
    if (!this.tracing.isOn) return this.tracing.start(name, start);
    return this.tracing.start(name, { ...start, attributes: { ...start.attributes, [SESSION_ATTRIBUTE]: this.id } });
  }
}

/** A provider in one session. Updates may be for one session alone, so each binding has its own copy of the registration. */
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
  /** See {@link groupOf}. */
  readonly group: string;
  readonly metadata: Record<string, unknown> | undefined;
  readonly startupContext: string | undefined;
  readonly subscriptions: ReadonlySet<string>;
  readonly concurrency: Hello['concurrency'];
  /** Bound to all sessions that its token may use. Later sessions are added by `session.ready`. */
  readonly isForAll: boolean;
  /** The registration for later sessions. */
  base: Registration;
  readonly bindings = new Map<string, Binding>();
  /** Order of the last activity that shows use. The largest is the most recent. */
  lastActive = 0;
  /** Only clients that use advanced fields are sent a reconnect token. */
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
    this.group = groupOf(grant, hello.name);
    this.metadata = hello.metadata && cleanRecord(hello.metadata, METADATA_LENGTH);
    this.startupContext = hello.startup_context;
    this.subscriptions = new Set(hello.subscribe);
    this.concurrency = hello.concurrency;
    this.isForAll = options.isForAll;
    this.base = options.base;
    this.usesAdvancedFields = advancedFields.some((field) => hello[field] !== undefined);
  }

  /** The account that its use of limits is counted for. */
  get account(): string {
    return this.grant.account;
  }

  /** Key of limits that each program with a shared token has for itself. It stays the same after a reconnect. */
  get budgetKey(): string {
    return isShared(this.grant) ? JSON.stringify([this.account, this.name]) : this.account;
  }

  /** Hooks and context need the user's consent; tools do not. */
  get needsConsent(): boolean {
    return this.grant.kind === 'file';
  }

  /** What of its registrations needs the user's consent where it holds the file token alone. */
  get wants(): string[] {
    const all = [this.base, ...this.bindings.values()];
    const has = (isIn: (one: Registration) => boolean) => all.some(isIn);
    return [
      ...(has(({ rules }) => rules.length > 0) ? ['hooks'] : []),
      ...(has(({ transforms }) => transforms.size > 0) ? ['transforms'] : []),
      ...(this.startupContext || has(({ context }) => Boolean(context)) ? ['context'] : []),
    ];
  }

  /** Throws a {@link ProviderError}. */
  bindingOf(sessionId: string): Binding {
    const binding = this.bindings.get(sessionId);
    if (binding) return binding;
    throw new ProviderError(ErrorCode.InvalidSession, `this provider is not bound to session ${JSON.stringify(sessionId)}`, sessionId);
  }

  /** The binding of the named session, or all bindings. Throws a {@link ProviderError}. */
  targetsOf(sessionId: string | undefined): Binding[] {
    return sessionId === undefined ? [...this.bindings.values()] : [this.bindingOf(sessionId)];
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

/** Who may share tools, and whose instances must differ: providers of one name, but never of several levels of trust, origins, or ways to get a token. */
export function groupOf({ trust, origin, kind }: Grant, name: string): string {
  return JSON.stringify([trust, name, origin ?? null, kind === 'spawn']);
}

const advancedFields = ['instance', 'reconnectToken', 'subscribe', 'hooks', 'context', 'concurrency'] as const;

/**
 * The holder of the budget for compiling. It is the grant, so that a new connection does not give a new budget; for a shared token it is
 * the connection.
 */
export function compilerOf({ grant, link }: { grant: Grant; link: ProviderLink }): object {
  return isShared(grant) ? link : grant;
}
