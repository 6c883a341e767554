/** Context from OpenCtx providers, whichever dialect each of them speaks. One that fails does not keep the others from answering. */
import { type Clock, systemClock } from '../base/clock.ts';
import { isPrivateUrl } from '../base/connection/privateUrl.ts';
import { messageOf, UserError } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { linearPattern } from '../base/node/patterns/linearPattern.ts';
import { comparePositions, DocumentLines, overlap } from './matching/ranges.ts';
import { matchesSelectors, readSelectors } from './matching/selectors.ts';
import { annotation, type Item, laterItem, type Mention, mention as mentionShape, type MetaResult } from './protocol/later.ts';
import { bothLeftOut, type Listed } from './protocol/listed.ts';
import type { ProviderSettings, Range, Resource } from './protocol/messages.ts';
import { seedItem } from './protocol/seed.ts';
import { type Dialect, ProviderConnection, type ProviderState } from './contextConnection.ts';
import { resolveProviderUri } from './providerUri.ts';
import { type FindSecret, secretNames, withSecrets } from './secrets.ts';
import { HttpTransport } from './transports/http.ts';
import { ModuleTransport } from './transports/module.ts';
import { defaultLimits, type OpenCtxLimits, ProviderFailure, type Transport } from './transports/openCtxTransport.ts';

export interface OpenCtxClientOptions {
  /** By URI, as in the setting `openctx.providers`: false switches a provider off, and an object has settings for it. */
  providers: Readonly<Record<string, boolean | ProviderSettings>>;
  /** An absolute path. What URIs of modules are relative to. */
  workspaceFolder?: string;
  /** Of the settings that refer to a secret (`${secret:NAME}`). None: there are no secrets. */
  findSecret?: FindSecret;
  limits?: Partial<OpenCtxLimits>;
  /** False: providers that are modules are not run, and each gives an error that says so. */
  mayRunModules?: boolean;
  /** By the URI of a module: the SHA-256 of its file, in hex. One whose file has another content by now does not run. */
  moduleDigests?: Readonly<Record<string, string>>;
  /** The script of the workers in which modules run. */
  workerScript: URL | string;
  clock?: Clock;
  /** Called once for each provider that a question was for, also when nothing had to be sent to it. */
  onDidAnswer?(answer: ProviderAnswer): void;
}

export interface ProviderAnswer {
  provider: string;
  /** How many. */
  results: number;
  durationMs: number;
  error?: string;
  /** What was wrong in its answer, beside the results. */
  leftOut?: string;
}

/**
 * What the answers of all providers are: each result with its provider's URI, and each provider that failed with the reason. `leftOut`: how many
 * wrong items of its answer are missing in the results, where the provider has not failed as a whole.
 */
export interface Answers<T> {
  results: (T & { provider: string })[];
  errors: { provider: string; message: string; leftOut?: number }[];
}

/** Without a signal a request ends with its answer or its time. */
export interface AskOptions {
  /** Only these, by URI. */
  only?: readonly string[];
  /** Nobody waits for the answer any more. It is no failure of a provider. */
  signal?: AbortSignal;
}

/** Of a resource, or of a place in it. */
export type ResourceItem = Item & { range?: Range };
export interface ResourceAnnotation {
  uri: string;
  item: Item;
  range?: Range;
  presentationHints?: string[];
}
/** An item is of a resource, of a message to an agent, or of a mention, which only its own provider knows. */
export type ItemsParams = (Resource & { range?: Range }) | { message: string } | { mention: Mention & { provider: string } };

interface Configured {
  uri: string;
  /** Or why it cannot be asked. */
  connection: ProviderConnection | ProviderFailure;
}

/** Of messages. Each costs time at every message. */
const MAX_PATTERNS = 100;

export class OpenCtxClientCore implements Disposable {
  readonly #providers: readonly Configured[];
  readonly #onDidAnswer: (answer: ProviderAnswer) => void;
  readonly #clock: Clock;

  constructor(options: OpenCtxClientOptions) {
    this.#onDidAnswer = (answer) => options.onDidAnswer?.(answer);
    this.#clock = options.clock ?? systemClock;
    this.#providers = Object.entries(options.providers)
      .filter(([, settings]) => settings !== false)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([uri, settings]) => ({ uri, connection: connect(uri, settings === true ? {} : (settings as ProviderSettings), options) }));
  }

  /** What a provider is called, and what can be mentioned. */
  meta(): Promise<Answers<MetaResult>> {
    return this.#ask(async (_connection, dialect, uri) => ({ found: [dialect.kind === 'later' ? dialect.meta : { name: uri }] }));
  }

  /** Those of a resource are sorted by their places; one without a place is of the whole resource. */
  items(params: ItemsParams, options: Pick<AskOptions, 'only'> = {}): Promise<Answers<ResourceItem>> {
    if ('mention' in params) {
      const { provider, ...mention } = params.mention;
      return this.#ask((connection, { kind }) => (kind === 'later' ? itemsOf(connection, { mention }) : nothing()), { only: [provider] });
    }
    if ('message' in params) {
      const { message } = params;
      return this.#ask((connection, dialect) => (wantsMessage(dialect, message) ? itemsOf(connection, { message }) : nothing()), options);
    }
    const { range, ...resource } = params;
    return this.#ask(async (connection, dialect) => {
      const { found, ...rest } = await annotationsOf(connection, dialect, resource);
      const here = range ? found.filter((one) => !one.range || overlap(one.range, range)) : found;
      return { ...rest, found: here.map((one) => ({ ...one.item, ...(one.range && { range: one.range }) })) };
    }, options);
  }

  /** Of a resource, sorted by their places. */
  annotations({ uri, content }: Resource, { signal }: AskOptions = {}): Promise<Answers<ResourceAnnotation>> {
    return this.#ask((connection, dialect) => annotationsOf(connection, dialect, { uri, content }, signal), { ...(signal && { signal }) });
  }

  /** What a user may mention. `uri`: of the document that is open. */
  mentions(params: { query?: string; uri?: string; autoInclude?: boolean }): Promise<Answers<Mention>> {
    return this.#ask((connection, { kind }) => (kind === 'later' ? connection.requestList('mentions', params, mentionShape) : nothing()));
  }

  /** Asks again at once, also a provider that is left alone after its last failure. */
  tryAgain(provider: string): void {
    const connection = this.#providers.find(({ uri }) => uri === provider)?.connection;
    if (connection instanceof ProviderConnection) connection.tryAgain();
  }

  /** Undefined for a provider that is switched off, or that this client does not have. */
  state(provider: string): ProviderState | undefined {
    const connection = this.#providers.find(({ uri }) => uri === provider)?.connection;
    return connection instanceof ProviderFailure ? { kind: 'failed', message: connection.message } : connection?.state;
  }

  dispose(): void {
    for (const { connection } of this.#providers) if (connection instanceof ProviderConnection) connection.dispose();
  }

  async #ask<T>(
    ask: (connection: ProviderConnection, dialect: Dialect, uri: string) => Promise<Listed<T>>,
    { only, signal }: AskOptions = {},
  ): Promise<Answers<T>> {
    const answers: Answers<T> = { results: [], errors: [] };
    const providers = this.#providers.filter(({ uri }) => only === undefined || only.includes(uri));
    const started = this.#clock.now();
    const asked = providers.map(async ({ uri, connection }) => {
      const report = (results: number, problem: Pick<ProviderAnswer, 'error' | 'leftOut'> = {}) =>
        this.#onDidAnswer({ provider: uri, results, durationMs: this.#clock.now() - started, ...problem });
      try {
        if (connection instanceof ProviderFailure) throw connection;
        const answer = await ask(connection, await connection.dialect(), uri);
        report(answer.found.length, answer.leftOut && { leftOut: answer.leftOut.message });
        return answer;
      } catch (error) {
        if (connection instanceof ProviderConnection && !signal?.aborted) connection.noteFailure(messageOf(error));
        report(0, { error: messageOf(error) });
        throw error;
      }
    });
    const settled = await Promise.allSettled(asked);
    for (const [index, { uri: provider }] of providers.entries()) {
      const one = settled[index];
      if (one?.status !== 'fulfilled') {
        answers.errors.push({ provider, message: messageOf(one?.reason) });
        continue;
      }
      const { found, leftOut } = one.value;
      for (const result of found) answers.results.push({ ...result, provider });
      if (leftOut) answers.errors.push({ provider, message: leftOut.message, leftOut: leftOut.count });
    }
    return answers;
  }
}

const nothing = async () => ({ found: [] });

function itemsOf(connection: ProviderConnection, params: { message: string } | { mention: Mention }): Promise<Listed<Item>> {
  return connection.requestList('items', params, laterItem);
}

/** The `items` of the seed and the `annotations` of the later dialect say the same of a resource. Neither is ever sent to the other. */
async function annotationsOf(
  connection: ProviderConnection,
  dialect: Dialect,
  resource: Resource,
  signal?: AbortSignal,
): Promise<Listed<ResourceAnnotation>> {
  const isSeed = dialect.kind === 'seed';
  const selectors = isSeed ? dialect.capabilities.selector : dialect.meta.annotations?.selectors;
  // A provider of the later dialect that says nothing of annotations has none.
  if (!isSeed && !dialect.meta.annotations) return { found: [] };
  const { found: usable, leftOut: wrong } = selectors ? readSelectors(selectors) : {};
  if (!matchesSelectors(usable, resource, isSeed)) return { found: [], ...(wrong && { leftOut: wrong }) };
  const lines = new DocumentLines(resource.content);
  const placed = <R extends { range?: Range | undefined }>({ range, ...rest }: R) => ({
    ...rest,
    ...(range && { range: lines.clamp(range) }),
  });
  const listed = async (): Promise<Listed<ResourceAnnotation>> => {
    if (!isSeed) return connection.requestList('annotations', resource, annotation, signal) as Promise<Listed<ResourceAnnotation>>;
    const { found, ...rest } = await connection.requestList('items', resource, seedItem, signal);
    return { ...rest, found: found.map(({ range, ...item }) => ({ uri: resource.uri, item, ...(range && { range }) })) };
  };
  const { found, ...rest } = await listed();
  const start = { line: 0, character: 0 };
  const sorted = found.map(placed).sort((a, b) => comparePositions(a.range?.start ?? start, b.range?.start ?? start));
  return { ...bothLeftOut(wrong, rest.leftOut), found: sorted };
}

function wantsMessage(dialect: Dialect, message: string): boolean {
  if (dialect.kind === 'seed') return false;
  const patterns = dialect.meta.items?.messageSelectors ?? [];
  if (patterns.length > MAX_PATTERNS) throw new ProviderFailure(`The provider has more than ${MAX_PATTERNS} patterns.`, 'refused');
  return patterns.some(({ pattern }) => {
    try {
      return linearPattern(pattern).test(message);
    } catch (error) {
      throw new ProviderFailure(`The provider has a pattern that cannot be used: ${messageOf(error)}`, 'refused');
    }
  });
}

function connect(uri: string, settings: ProviderSettings, options: OpenCtxClientOptions): ProviderConnection | ProviderFailure {
  const { workspaceFolder, workerScript, mayRunModules = true, findSecret = async () => undefined, clock = systemClock } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const digest = options.moduleDigests?.[uri];
  let transport: Transport;
  try {
    const { kind, url } = resolveProviderUri(uri, workspaceFolder);
    if (kind === 'module' && !mayRunModules)
      return new ProviderFailure('It is a program, and programs of this workspace are not run.', 'refused');
    if (kind === 'http' && secretNames(settings).length > 0 && !isPrivateUrl(url))
      return new ProviderFailure('Its settings have a secret, which is not sent without encryption. Use https.', 'refused');
    transport =
      kind === 'http'
        ? new HttpTransport({ url, limits })
        : new ModuleTransport({ url, workerScript, limits, ...(digest !== undefined && { digest }) });
  } catch (error) {
    if (error instanceof UserError) return new ProviderFailure(error.message, 'refused');
    throw error;
  }
  return new ProviderConnection(transport, () => withSecrets(settings, findSecret), clock);
}
