/**
 * Folders of format 1 that belong together: a session, and those of its subagents, which are chats of the session now.
 *
 * When a session is opened, its log is replaced by one of format 2 with all of them, and then the folders of the subagents are removed. A
 * process that is killed before has changed nothing. One that is killed after has left folders of subagents beside a session that has their
 * chats: the next start removes them. One whose chat the session does not have, because it could not be read, is taken in when it can be.
 */
import { basename } from 'node:path';
import { isSubagent, topSession } from '../../../../ahp/subagentUri.ts';
import type { SessionState } from '../../../../ahp/v1/session.ts';
import type { URI } from '../../../../ahp/common/shapes.ts';
import { englishOf } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/log.ts';
import { isThere } from '../../../../base/node/wholeFile.ts';
import { chatUri } from '../../chatUris.ts';
import type { SessionFacts } from '../../listedSession.ts';
import type { StoredChannel } from '../../stateStore.ts';
import type { ArchiveFolder } from '../files/archiveFolder.ts';
import { DamagedLogError, keepDamaged, type LogFile, readLogFile } from '../files/logFile.ts';
import { channelsOfFormatOne, factsSince, withSubagents } from './channelsOfFormatOne.ts';
import { FORMAT_ONE, readLogOfFormatOne, type FactsOfFormatOne, type SessionOfFormatOne } from './logOfFormatOne.ts';

/** A folder of format 1, as far as it was read at the start. */
export interface FolderOfFormatOne {
  folder: string;
  facts: FactsOfFormatOne;
  /** With its turns only where the log had to be read. */
  state: SessionState;
  /** The earlier run ended during a turn or similar. */
  interrupted: boolean;
}

export interface FamilyOfFormatOne {
  facts: SessionFacts;
  channels: StoredChannel[];
  interrupted: boolean;
}

export class FamiliesOfFormatOne {
  readonly #found: FolderOfFormatOne[] = [];
  /** The folders of subagents that are still there, by the session of the user. */
  readonly #subagents = new Map<URI, string[]>();

  constructor(
    private readonly folders: ArchiveFolder,
    private readonly logger: Logger,
  ) {}

  add(found: FolderOfFormatOne): void {
    this.#found.push(found);
  }

  /** The sessions of users among what was found. */
  sessions(): FamilyOfFormatOne[] {
    const families = new Map<URI, FolderOfFormatOne[]>();
    for (const found of this.#found) {
      const uri = topSession(found.facts.uri);
      families.set(uri, [...(families.get(uri) ?? []), found]);
    }
    return [...families].flatMap(([uri, family]) => {
      const session = family.find(({ facts }) => facts.uri === uri);
      if (!session) return [];
      const subagents = family.filter((one) => one !== session);
      const channels = channelsOfFormatOne(uri, [session.state, ...subagents.map(({ state }) => state)]);
      return [{ facts: factsSince(session), channels, interrupted: family.some(({ interrupted }) => interrupted) }];
    });
  }

  /**
   * Removes the folders of subagents that nothing needs any more. `chatsOf`: the chats of a session of format 2, undefined for any other.
   * Answers with the sessions of format 2 that are to take a chat in.
   */
  settle(chatsOf: (session: URI) => ReadonlySet<URI> | undefined): Set<URI> {
    const incomplete = new Set<URI>();
    for (const { folder, facts } of this.#found) {
      if (!isSubagent(facts.uri)) continue;
      const session = topSession(facts.uri);
      const sessionFolder = this.folders.folderOf(session);
      const chats = chatsOf(session);
      if (this.folders.isAside(sessionFolder)) this.folders.setAside(folder, 'its session cannot');
      else if (chats?.has(chatUri(facts.uri)) || !isThere(sessionFolder)) this.folders.discard(folder);
      else {
        this.#subagents.set(session, [...(this.#subagents.get(session) ?? []), folder]);
        if (chats) incomplete.add(session);
      }
    }
    this.#found.length = 0;
    return incomplete;
  }

  /** Reads a session whose log is of format 1. Throws `DamagedLogError`. */
  read(file: LogFile): { facts: SessionFacts; channels: StoredChannel[]; seq: number; taken: string[] } {
    const session = readLogOfFormatOne(file);
    this.#keepDamaged(file, session, file.folder);
    const subagents = this.#readSubagents(session.facts.uri, file.folder);
    return {
      facts: factsSince(session),
      channels: channelsOfFormatOne(session.facts.uri, [session.state, ...subagents.map(({ state }) => state)]),
      seq: Math.max(session.seq, ...subagents.map(({ seq }) => seq)),
      taken: subagents.map(({ folder }) => folder),
    };
  }

  /** Chats that a session of format 2 does not have yet. Undefined where there are none. */
  missing(uri: URI, channels: readonly StoredChannel[]): { channels: StoredChannel[]; seq: number; taken: string[] } | undefined {
    const subagents = this.#readSubagents(uri, this.folders.folderOf(uri));
    if (subagents.length === 0) return undefined;
    return {
      channels: withSubagents(
        uri,
        channels,
        subagents.map(({ state }) => state),
      ),
      seq: Math.max(...subagents.map(({ seq }) => seq)),
      taken: subagents.map(({ folder }) => folder),
    };
  }

  /** The log of format 2 has what was in these folders. */
  discard(uri: URI, taken: readonly string[]): void {
    for (const folder of taken) this.folders.discard(folder);
    const left = this.#subagents.get(uri)?.filter((folder) => !taken.includes(folder)) ?? [];
    if (left.length > 0) this.#subagents.set(uri, left);
    else this.#subagents.delete(uri);
  }

  /** The session is deleted. */
  delete(uri: URI): void {
    this.discard(uri, this.#subagents.get(uri) ?? []);
  }

  #readSubagents(uri: URI, sessionFolder: string): (SessionOfFormatOne & { folder: string })[] {
    return (this.#subagents.get(uri) ?? []).flatMap((folder) => {
      try {
        const file = readLogFile(folder);
        const subagent = readLogOfFormatOne(file);
        this.#keepDamaged(file, subagent, sessionFolder, `log.damaged.${basename(folder)}.jsonl`);
        return [{ ...subagent, folder }];
      } catch (error) {
        if (error instanceof DamagedLogError) this.folders.setAside(folder, error.message);
        // The session is worth more than one of its subagents.
        else this.logger.error(`A subagent of ${uri} stays as it is in ${folder}, because it cannot be read: ${englishOf(error)}`);
        return [];
      }
    });
  }

  #keepDamaged(file: LogFile, { facts, damagedAt }: SessionOfFormatOne, folder: string, name?: string): void {
    if (damagedAt !== undefined) this.logger.error(`${facts.uri}: ${keepDamaged(file, damagedAt, folder, name)}`);
  }
}

export function isFormatOne({ format }: { format: unknown }): boolean {
  return format === FORMAT_ONE;
}
