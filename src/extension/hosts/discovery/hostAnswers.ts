/**
 * What the user has answered about the agent hosts of VS Code on this computer. Each answer is a file of its own in Tapline's folder: the memory
 * that VS Code gives to extensions is written as a whole, so a window could write back what another one has taken away, and in remote windows it
 * is that of another computer.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../../base/isRecord.ts';
import { readFileOf } from '../../../base/node/ownFile.ts';
import { sha256 } from '../../../base/node/sha256.ts';

export interface HostAnswer {
  id: string;
  label: string;
  answer: 'connect' | 'notNow';
}

export class HostAnswers {
  constructor(
    private readonly folder: string,
    /** Several computers may share the folder. An answer holds for one. */
    private readonly computer: string,
  ) {}

  /** Rejects when they cannot be read. */
  async all(): Promise<HostAnswer[]> {
    const names = (await unlessAbsent(() => readdir(this.folder))) ?? [];
    const read = await Promise.all(names.map((name) => this.#read(name)));
    return read.flatMap((one) => one ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async of(id: string): Promise<HostAnswer['answer'] | undefined> {
    return (await this.#read(this.#nameOf(id)))?.answer;
  }

  async set(answer: HostAnswer): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, this.#nameOf(answer.id));
    const written = `${file}.${randomUUID()}`;
    await writeFile(written, JSON.stringify(answer), { mode: 0o600, flag: 'wx' });
    await rename(written, file);
  }

  /** Undefined for what is no answer here, and for a file that somebody else could have written. */
  async #read(name: string): Promise<HostAnswer | undefined> {
    const file = await unlessAbsent(() => readFileOf(join(this.folder, name)));
    const { id, label, answer } = file?.isPrivate ? recordIn(file.text) : {};
    if (typeof id !== 'string' || typeof label !== 'string' || name !== this.#nameOf(id)) return undefined;
    return answer === 'connect' || answer === 'notNow' ? { id, label, answer } : undefined;
  }

  #nameOf(id: string): string {
    return `${sha256(`${this.computer}\n${id}`)}.json`;
  }
}

function recordIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

async function unlessAbsent<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
