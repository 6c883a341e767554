/** A goal or a claim that was judged, as pages get it. Its texts are those of a model, and of what it names as evidence. */
import * as l10n from '../../base/l10n.ts';
import * as z from 'zod/mini';
import type { Judgement, Verdict } from '../../tap/wire/evidence/verdict.ts';

/** As the ledger and the records cut them. */
const MAX_TEXT = 2_000;
const MAX_CHECKS = 20;

export interface ShownJudgement {
  /** The same in each answer. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
  kind: 'goal' | 'claim';
  text: string;
  verdict: Verdict;
  checks: readonly { check: string; verdict: Verdict; seenBy?: 'gateway' | 'session' | 'stated'; line: string }[];
  /** Checks that are not shown. */
  leftOut: number;
}

const verdict = z.enum(['supported', 'contradicted', 'unknown']);
const recorded = z.object({
  text: z.string(),
  verdict,
  checks: z.array(z.object({ check: z.string(), verdict, seenBy: z.optional(z.enum(['gateway', 'session', 'stated'])), line: z.string() })),
  leftOut: z.optional(z.number()),
});

/** Undefined where the data of the record are not those of a goal or a claim. */
export function recordedJudgement(kind: 'goal' | 'claim', id: string, at: number, data: unknown): ShownJudgement | undefined {
  const { data: given } = recorded.safeParse(data);
  return given && shown({ key: id, at, kind, ...given }, given.leftOut);
}

/** Of the ledger of a session that goes on. */
export function ledgerJudgement({ id, ts, ...judgement }: Judgement): ShownJudgement {
  return shown({ key: String(id), at: Date.parse(ts), ...judgement });
}

function shown(judgement: Omit<ShownJudgement, 'leftOut'>, leftOut = 0): ShownJudgement {
  const { key, at, kind, text, verdict: of, checks } = judgement;
  const kept = checks.slice(0, MAX_CHECKS).map(({ check, verdict: one, seenBy, line }) => ({
    ...{ check: check.slice(0, MAX_TEXT), verdict: one, line: line.slice(0, MAX_TEXT) },
    ...(seenBy && { seenBy }),
  }));
  return { key, at, kind, text: text.slice(0, MAX_TEXT), verdict: of, checks: kept, leftOut: leftOut + checks.length - kept.length };
}

/** What a verdict is called, and the icon beside it. */
export const verdictWords: Readonly<Record<Verdict, { icon: string; text: string }>> = {
  supported: { icon: 'pass', text: l10n.t('Supported') },
  contradicted: { icon: 'error', text: l10n.t('Contradicted') },
  unknown: { icon: 'question', text: l10n.t('Unknown') },
};

/** Who has seen what decides. */
export const seenByWords = {
  gateway: l10n.t('seen by the gateway'),
  session: l10n.t('seen in the session'),
  stated: l10n.t('only stated by the agent'),
} as const;
