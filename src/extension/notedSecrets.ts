/** Secrets of one kind in VS Code's secret storage. That does not list what is in it, so the names are noted beside it. */

/** The part of VS Code's secret storage that is used. */
export interface SecretStorage {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}

/** A `Memento` of VS Code fits. */
export interface SecretNotes {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface SecretKind {
  /** Of the keys in the secret storage. */
  prefix: string;
  /** Where the names are noted. */
  notes: string;
}

export class NotedSecrets {
  constructor(
    private readonly storage: SecretStorage,
    private readonly notes: SecretNotes,
    private readonly kind: SecretKind,
  ) {}

  /** Of all that were stored and not deleted, also when the storage has lost them since. */
  get names(): string[] {
    const noted = this.notes.get(this.kind.notes);
    return Array.isArray(noted) ? noted.filter((name) => typeof name === 'string') : [];
  }

  get(name: string): PromiseLike<string | undefined> {
    return this.storage.get(this.kind.prefix + name);
  }

  async store(name: string, value: string): Promise<void> {
    // Noted first: a secret without a note could not be found again.
    await this.notes.update(this.kind.notes, [...new Set([...this.names, name])]);
    await this.storage.store(this.kind.prefix + name, value);
  }

  async delete(name: string): Promise<void> {
    await this.storage.delete(this.kind.prefix + name);
    await this.notes.update(
      this.kind.notes,
      this.names.filter((other) => other !== name),
    );
  }
}
