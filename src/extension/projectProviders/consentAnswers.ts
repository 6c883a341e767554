/** The user's answers about programs that a folder names, by the digest of what was shown. Kept with the workspace. */
import { dropOldest } from '../../base/dropOldest.ts';
import { readMap, type Storage } from '../bridge/storage/storage.ts';

export type Answer = 'run' | 'never';

/** What the user decides about. */
export interface ConsentQuestion {
  /** Of everything that determines what runs, and what it gets. */
  readonly digest: string;
}

/** The oldest are forgotten, so the user is asked about those again. */
const MAX_ANSWERS = 200;

export class Answers {
  readonly #answers: Map<string, Answer>;

  constructor(
    private readonly storage: Storage,
    private readonly key: string,
  ) {
    this.#answers = readMap(storage, key, isAnswer);
  }

  of({ digest }: ConsentQuestion): Answer | undefined {
    return this.#answers.get(digest);
  }

  async set({ digest }: ConsentQuestion, answer: Answer): Promise<void> {
    this.#answers.delete(digest);
    this.#answers.set(digest, answer);
    dropOldest(this.#answers, MAX_ANSWERS);
    await this.storage.update(this.key, Object.fromEntries(this.#answers));
  }

  async forget({ digest }: ConsentQuestion): Promise<void> {
    if (this.#answers.delete(digest)) await this.storage.update(this.key, Object.fromEntries(this.#answers));
  }
}

function isAnswer(value: unknown): value is Answer {
  return value === 'run' || value === 'never';
}
