/** Puts what this window has seen decided into the gateway's records, and reads what other windows have seen. */
import * as z from 'zod/mini';
import { englishOf } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { OwnerErrorCode } from '../../tap/wire/errorCodes.ts';
import type { OwnerResults } from '../../tap/wire/owner/ownerMessages.ts';
import type { CallDecision } from '../../views/session/trail/callDecision.ts';
import type { DecisionLog, KeptDecision } from '../sessions/decisionLog.ts';

/** Those of one request. */
const BATCH = 100;
/** Decisions of a session that are read, of each that may have decided. */
const MAX_READ = 1_000;
const PAGE = 200;

/**
 * Who may have decided. What a setting allows is not read: the state of the session says it, and of that there may be so much that nothing else
 * would be read.
 */
const deciders = ['you', 'rule', 'client', 'host'] as const satisfies readonly CallDecision['by'][];

/** Where there is too little room, those of the lowest rank go first: a model can cause any number of calls that a setting allows. */
const ranks: Readonly<Record<KeptDecision['by'], number>> = { you: 1, rule: 1, client: 0, host: 0, setting: -1 };

/** The link to the gateway, while it is up. */
export interface RecordKeeper {
  /** Another one each time that the link is up again. */
  readonly link: unknown;
  request<M extends 'records/add' | 'records/query'>(method: M, params: object): Promise<OwnerResults[M]>;
}

export interface DecisionRecordsOptions {
  readonly log: Pick<DecisionLog, 'unrecorded' | 'recorded' | 'onDidChange'>;
  /** Undefined while the link is down. */
  keeper(): RecordKeeper | undefined;
  readonly onDidChangeKeeper: Event<void>;
  /** The id at the gateway of the session that a chat is in, where it is known. */
  sessionOf(hostId: string, chat: string): string | undefined;
  readonly logger: Logger;
}

const decided = z.object({
  chat: z.string(),
  turnId: z.string(),
  callId: z.string(),
  about: z.enum(['call', 'result']),
  approved: z.boolean(),
  asked: z.optional(z.string()),
  by: z.enum(deciders),
});

export class DecisionRecords implements Disposable {
  readonly #store = new DisposableStore();
  #isTelling = false;
  /** It has no records, or is too old for them. */
  #refused: unknown;

  constructor(private readonly options: DecisionRecordsOptions) {
    this.#store.add(options.log.onDidChange(() => void this.#tell()));
    this.#store.add(options.onDidChangeKeeper(() => void this.#tell()));
    void this.#tell();
  }

  /** What somebody has decided in a session, by its id at the gateway, oldest first. Empty where there is no gateway that keeps records. */
  async of(sessionId: string): Promise<CallDecision[]> {
    const keeper = this.options.keeper();
    const found: CallDecision[] = [];
    try {
      if (keeper) for (const by of deciders) found.push(...(await decidedBy(by, sessionId, keeper)));
    } catch (error) {
      this.options.logger.warn(`What other windows have seen decided cannot be read: ${englishOf(error)}`);
    }
    return found.sort((a, b) => a.at - b.at);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    const { log, keeper: keeperNow, logger } = this.options;
    try {
      for (let keeper = keeperNow(); keeper && keeper.link !== this.#refused; keeper = keeperNow()) {
        const some = log.unrecorded.slice(0, BATCH);
        if (!some.length) return;
        try {
          await this.#add(keeper, some);
          log.recorded(some);
        } catch (error) {
          // They are told to the next one.
          this.#refused = keeper.link;
          logger.warn(`Who allowed what is not in the gateway’s records yet: ${englishOf(error)}`);
        }
      }
    } finally {
      this.#isTelling = false;
    }
  }

  /** What a gateway would never take is left out, so that it does not keep the others back. */
  async #add(keeper: RecordKeeper, some: readonly KeptDecision[]): Promise<void> {
    try {
      await keeper.request('records/add', { records: some.map((one) => this.#recordOf(one)) });
    } catch (error) {
      if (!(error instanceof RpcError && error.code === OwnerErrorCode.InvalidParams)) throw error;
      if (some.length > 1) for (const one of some) await this.#add(keeper, [one]);
      else this.options.logger.warn(`A decision is left out of the gateway’s records, which do not take it: ${error.message}`);
    }
  }

  #recordOf({ hostId, session: chat, at, isRecorded: _, ...decision }: KeptDecision): object {
    const { turnId, callId, about, approved, asked = '', by } = decision;
    const sessionId = this.options.sessionOf(hostId, chat);
    return {
      kind: 'decision',
      // Every window that looks on tells the same, and only one knows that it was its user. The id of a host is the same in all of them.
      id: sha256(JSON.stringify([hostId, chat, turnId, callId, about, approved, asked])),
      rank: ranks[by],
      at,
      ...(sessionId !== undefined && { sessionId }),
      data: { host: hostId, chat, ...decision },
    };
  }
}

async function decidedBy(by: CallDecision['by'], sessionId: string, keeper: RecordKeeper): Promise<CallDecision[]> {
  const found: CallDecision[] = [];
  for (let after = 0, read = 0; read < MAX_READ; read += PAGE) {
    const { records } = await keeper.request('records/query', { kind: 'decision', sessionId, where: { by }, after, limit: PAGE });
    for (const { at, data } of records) {
      const { chat: session, ...decision } = decided.safeParse(data).data ?? {};
      if (session !== undefined) found.push({ ...(decision as Omit<CallDecision, 'session' | 'at'>), session, at });
    }
    if (records.length < PAGE) break;
    after = records.at(-1)?.seq ?? after;
  }
  return found;
}

/** What this window has seen, with what others have told, oldest first. */
export function withRecorded(own: readonly CallDecision[], recorded: readonly CallDecision[]): CallDecision[] {
  const keyOf = ({ session, turnId, callId, about, approved, asked }: CallDecision) =>
    JSON.stringify([session, turnId, callId, about, approved, asked]);
  const known = new Set(own.map(keyOf));
  return [...own, ...recorded.filter((one) => !known.has(keyOf(one)))].sort((a, b) => a.at - b.at);
}
