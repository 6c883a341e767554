/** What happened in a step, as a sentence, and when. */
import * as l10n from '../../base/l10n.ts';
import type { DecisionWords, Piece } from '../../views/portal/page/decisionWords.ts';
import { clockText, secondText } from '../../views/text/time/clockText.ts';
import { durationText } from '../../views/text/time/duration.ts';

const signs = { good: '✓', bad: '✗', note: '↻', plain: '·' } as const;

export function Decision({ at, tone, pieces, who, more, startedAt }: DecisionWords & { startedAt: number }) {
  return (
    <div class={`decision tone-${tone}`}>
      <time class="hint" dateTime={isoText(at)} title={l10n.t`${clockText(at, 0)}, after ${durationText(Math.max(0, at - startedAt))}`}>
        {secondText(at)}
      </time>
      <span class="decision-sign" aria-hidden="true">
        {signs[tone]}
      </span>
      <div class="decision-text">
        {pieces.map((piece, index) => (
          <Part key={index} {...piece} />
        ))}
        {who !== undefined && <span class="hint"> · {who}</span>}
        {more !== undefined && <p class="hint">{more}</p>}
      </div>
    </div>
  );
}

function Part({ text, isCode }: Piece) {
  return isCode ? <code>{text}</code> : <>{text}</>;
}

/** Undefined for an invalid time. */
function isoText(at: number): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
