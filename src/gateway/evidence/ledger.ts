/** The goals and claims of each session, with what became of them. It ends with the session. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { type CheckAnswer, type Judgement, type Verdict, verdictOfAll } from '../../tap/wire/evidence/verdict.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { cleanText } from '../limits/cleanText.ts';
import type { Session } from '../sessions/session.ts';

export class Ledger {
  readonly #bySession = new WeakMap<Session, { entries: Judgement[]; count: number }>();
  readonly #didJudge = new Emitter<{ session: Session; judgement: Judgement }>();
  /** Every entry of every session passes here, once. */
  readonly onDidJudge = this.#didJudge.event;

  constructor(private readonly clock: Clock) {}

  judged(session: Session, kind: Judgement['kind'], text: string, checks: CheckAnswer[]): Judgement {
    const own = this.#bySession.get(session) ?? { entries: [], count: 0 };
    this.#bySession.set(session, own);
    const judgement: Judgement = {
      id: ++own.count,
      ts: new Date(this.clock.now()).toISOString(),
      kind,
      text: cleanText(text, Limit.claimLength),
      verdict: verdictOfAll(checks),
      checks,
    };
    own.entries.push(judgement);
    if (own.entries.length > Limit.judgements) own.entries.shift();
    this.#didJudge.fire({ session, judgement });
    return judgement;
  }

  /** Of those that are kept, by verdict. */
  counts(session: Session): Record<Verdict, number> {
    const counts = { supported: 0, contradicted: 0, unknown: 0 };
    for (const { verdict } of this.of(session)) counts[verdict]++;
    return counts;
  }

  /** Oldest first. */
  of(session: Session): readonly Judgement[] {
    return this.#bySession.get(session)?.entries ?? [];
  }
}
