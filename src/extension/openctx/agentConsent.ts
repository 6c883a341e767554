/** Whether agents may ask a context provider about files. The user is asked once for each provider, and again when it has changed. */
import { TimeoutError, withTimeout } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Storage } from '../bridge/storage/storage.ts';
import { type Answer, Answers } from '../projectProviders/consentAnswers.ts';
import type { Provider } from './providers/findProvider.ts';

const STORAGE_KEY = 'tapline.openCtxAgents';
/** A call waits so long for the user. The question stays, and its answer counts for the next call. */
const WAIT_MS = 20_000;

type ConsentRequest = Pick<Provider, 'digest' | 'uri'>;

export class AgentConsent implements Disposable {
  readonly #answers: Answers;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #asking = new Map<string, Promise<Answer | undefined>>();

  /** `ask`: undefined when the user has left the question. */
  constructor(
    storage: Storage,
    private readonly ask: (provider: ConsentRequest) => Promise<Answer | undefined>,
    private readonly waitMs = WAIT_MS,
  ) {
    this.#answers = new Answers(storage, STORAGE_KEY);
  }

  of(provider: ConsentRequest): Answer | undefined {
    return this.#answers.of(provider);
  }

  async set(provider: ConsentRequest, answer: Answer | undefined): Promise<void> {
    if (answer) await this.#answers.set(provider, answer);
    else await this.#answers.forget(provider);
    this.#onDidChange.fire();
  }

  /** Asks the user where nothing is decided. Undefined: they have not answered yet. */
  async mayAsk(provider: ConsentRequest): Promise<boolean | undefined> {
    const known = this.of(provider);
    if (known) return known === 'run';
    try {
      // eslint-disable-next-line texts/translated -- nobody reads it
      const answer = await withTimeout(this.#question(provider), this.waitMs, 'the user’s answer');
      return answer && answer === 'run';
    } catch (error) {
      if (error instanceof TimeoutError) return undefined;
      throw error;
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /** One question for all calls. */
  #question(provider: ConsentRequest): Promise<Answer | undefined> {
    const asking = this.#asking.get(provider.digest);
    if (asking) return asking;
    const question = this.ask(provider)
      .then(async (answer) => {
        if (answer) await this.set(provider, answer);
        return answer;
      })
      .finally(() => this.#asking.delete(provider.digest));
    this.#asking.set(provider.digest, question);
    return question;
  }
}
