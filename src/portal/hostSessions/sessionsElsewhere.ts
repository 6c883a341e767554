/**
 * The sessions of the portal at other agent hosts that may still work: from before they are created until the host has confirmed that they
 * stopped. Unlike those of its own host they do not end with the portal's process, so the next one has to find them.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { UserError } from '../../base/errors.ts';
import { replaceFile, type Write } from '../../base/node/wholeFile.ts';

const kept = z.object({ host: z.string(), session: z.string(), hasApproval: z.boolean() });
export type SessionElsewhere = z.infer<typeof kept>;

export class SessionsElsewhere {
  readonly #file: string | undefined;
  readonly #write: Write | undefined;
  /** By host and session. */
  readonly #sessions = new Map<string, SessionElsewhere>();

  /** `file`: absent, they are forgotten at the end. Throws when it cannot be read: what runs elsewhere would be forgotten. */
  constructor(file?: string, write?: Write) {
    this.#file = file;
    this.#write = write;
    for (const one of file === undefined ? [] : read(file)) this.#sessions.set(keyOf(one), one);
  }

  get all(): readonly SessionElsewhere[] {
    return [...this.#sessions.values()];
  }

  /** Throws when it could not be kept. */
  add(session: SessionElsewhere): void {
    this.#sessions.set(keyOf(session), session);
    try {
      this.#keep();
    } catch (error) {
      this.#sessions.delete(keyOf(session));
      throw error;
    }
  }

  /** Throws when it could not be kept: it is looked at once more then. */
  remove(session: Omit<SessionElsewhere, 'hasApproval'>): void {
    if (this.#sessions.delete(keyOf(session))) this.#keep();
  }

  #keep(): void {
    if (this.#file === undefined) return;
    const write = this.#write && { write: this.#write };
    replaceFile(this.#file, Buffer.from(JSON.stringify(this.all)), { sync: true, ...write });
  }
}

function keyOf({ host, session }: Omit<SessionElsewhere, 'hasApproval'>): string {
  return JSON.stringify([host, session]);
}

function read(file: string): SessionElsewhere[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  try {
    return z.array(kept).parse(JSON.parse(text));
  } catch {
    throw new UserError(
      `${file} cannot be read: sessions that are listed there may still work at other agent hosts. Look there, then delete it.`,
    );
  }
}
