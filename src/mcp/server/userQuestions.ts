/** What the gateway asks of the user: shows pairing codes on stderr, and asks for consent through a client that can ask. */
import { englishOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { whoAsks } from '../../base/text/origin.ts';
import { field, named } from '../../base/text/quoted.ts';
import type { OwnerClient } from '../../tap/owner/ownerClient.ts';
import type { OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';
import type { McpSession } from './mcpSession.ts';

export class UserQuestions implements Disposable {
  readonly #store = new DisposableStore();
  /** The user's answers by provider. Every new gateway asks again. */
  readonly #answers = new Map<string, boolean>();

  /** A pairing code goes to stderr only, because a model that could read it could pass it to a page. */
  constructor(
    private readonly owner: OwnerClient,
    private readonly sessions: () => Iterable<McpSession>,
    private readonly logger: Logger,
  ) {
    this.#store.add(
      owner.onEvent((heard) => {
        if (heard.event === 'pairing/started') this.#pairing(heard.params);
        if (heard.event === 'consent/asked') void this.#consent(heard.params);
        if (heard.event === 'consent/decided') this.#decided(heard.params);
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** What was decided elsewhere: an older answer must not be given again to the next gateway. */
  #decided({ provider, allow }: OwnerEvents['consent/decided']): void {
    if (allow === undefined) this.#answers.delete(provider);
    else if (this.#answers.has(provider)) this.#answers.set(provider, allow);
  }

  #pairing({ code, origin, expiresInMs }: OwnerEvents['pairing/started']): void {
    const who = whoAsks(origin);
    this.logger.info(
      `${who.charAt(0).toUpperCase()}${who.slice(1)} asks to lend its tools. If you opened it, enter this code there: ${code} (valid for ${Math.round(expiresInMs / 1000)} s)`,
    );
  }

  async #consent({ provider, sessionIds, wants }: OwnerEvents['consent/asked']): Promise<void> {
    const concerned = [...this.sessions()].filter(({ id }) => sessionIds.includes(id));
    if (!concerned.length) return;
    const session = concerned.find(({ canAsk }) => canAsk);
    try {
      const known = this.#answers.get(provider);
      const allow = known ?? (session && (await this.#ask(session, provider, wants)));
      if (allow === undefined) {
        this.logger.warn(
          `The provider ${named(provider)} wants more than to lend tools (${wants.join(', ')}). Nobody has agreed to that, so it is not in force.`,
        );
        return;
      }
      this.#answers.set(provider, allow);
      await this.owner.request('consent/answer', { provider, allow });
    } catch (error) {
      this.logger.warn(`Asking about the provider ${named(provider)}: ${englishOf(error)}`);
    }
  }

  async #ask(session: McpSession, provider: string, wants: readonly string[]): Promise<boolean | undefined> {
    const answer = await session.ask(
      `A provider wants more than to lend tools: ${wants.join(', ')}. With hooks it sees tool calls and may deny them. ` +
        'With context or transforms it adds to what models read. This applies to every session on this computer. Allow it?\n\n' +
        field('provider', provider).join('\n'),
    );
    return answer === 'cancel' ? undefined : answer === 'accept';
  }
}
