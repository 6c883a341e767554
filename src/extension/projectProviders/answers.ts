/** The user's answers about project providers, by the content of the list. Kept with the workspace. */
import { dropOldest } from '../../base/dropOldest.ts';
import { readRecord, type Storage } from '../bridge/storage/storage.ts';
import type { Project } from './project.ts';

export type Answer = 'run' | 'never';

const STORAGE_KEY = 'tapline.projectProviders';
/** The oldest are forgotten, so the user is asked about those again. */
const MAX_ANSWERS = 200;

export class Answers {
  readonly #answers: Map<string, Answer>;

  constructor(private readonly storage: Storage) {
    const kept = Object.entries(readRecord(storage, STORAGE_KEY));
    this.#answers = new Map(kept.filter((entry): entry is [string, Answer] => isAnswer(entry[1])));
  }

  of({ digest }: Project): Answer | undefined {
    return this.#answers.get(digest);
  }

  async set({ digest }: Project, answer: Answer): Promise<void> {
    this.#answers.delete(digest);
    this.#answers.set(digest, answer);
    dropOldest(this.#answers, MAX_ANSWERS);
    await this.storage.update(STORAGE_KEY, Object.fromEntries(this.#answers));
  }
}

function isAnswer(value: unknown): value is Answer {
  return value === 'run' || value === 'never';
}
