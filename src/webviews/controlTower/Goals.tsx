/** Goals and claims of a session as a timeline, newest first: what was claimed, with which evidence, and what became of it. */
import * as l10n from '../../base/l10n.ts';
import { momentText } from '../../views/text/time/clockText.ts';
import { seenByWords, type ShownJudgement, verdictWords } from '../../views/traces/shownJudgement.ts';
import type { AskTower } from '../../views/traces/towerQuestion.ts';
import { Icon } from '../session/parts/Icon.tsx';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { AskedPart } from './Disclosure.tsx';
import { useAsked } from './useAsked.ts';

export function Goals({ title, ask }: { title: string; ask: AskTower }) {
  const { value, problem } = useAsked('goals', () => ask({ what: 'goals' }));
  return (
    <AskedPart label={l10n.t`Goals and claims of ${title}`} problem={problem} isKnown={value !== undefined}>
      {value?.judgements.length === 0 && (
        <p class="emitter-hint">{l10n.t('The agent has had no goal or claim checked yet. “/tap-goal” in a message makes it do so.')}</p>
      )}
      {value && value.judgements.length > 0 && (
        <ol class="goal-line" aria-label={l10n.t('Goals and claims, newest first')}>
          {value.judgements.map((judgement) => (
            <Judged key={judgement.key} judgement={judgement} />
          ))}
        </ol>
      )}
      {value?.isCut && <p class="emitter-hint">{l10n.t('Older ones are left out. “tap_query_records” has them all.')}</p>}
    </AskedPart>
  );
}

function Judged({ judgement: { at, kind, text, verdict, checks, leftOut } }: { judgement: ShownJudgement }) {
  const words = verdictWords[verdict];
  return (
    <li class="goal" data-verdict={verdict} data-kind={kind}>
      <p class="goal-head">
        <Icon name={words.icon} />
        <strong>{words.text}</strong>
        <span class="emitter-facts">
          {kind === 'goal' ? l10n.t('Goal') : l10n.t('Claim')} · <time dateTime={dateOf(at)}>{momentText(at, Date.now())}</time>
        </span>
      </p>
      <p class="goal-text">
        <VisibleText text={text} prose />
      </p>
      {checks.length > 0 && (
        <ul class="goal-checks" aria-label={l10n.t('Evidence')}>
          {checks.map((check, index) => (
            <li key={index} data-verdict={check.verdict}>
              <Icon name={verdictWords[check.verdict].icon} />
              <span>
                <span class="visually-hidden">{verdictWords[check.verdict].text}: </span>
                <VisibleText text={check.check} prose />
                {check.line !== '' && (
                  <>
                    {' — '}
                    <span class="goal-evidence">
                      <VisibleText text={check.line} prose />
                    </span>
                  </>
                )}
                {check.seenBy && <span class="emitter-facts"> ({seenByWords[check.seenBy]})</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {checks.length === 0 && <p class="emitter-hint">{l10n.t('Nothing was named as evidence.')}</p>}
      {leftOut > 0 && <p class="emitter-hint">{leftOutText(leftOut)}</p>}
    </li>
  );
}

function leftOutText(count: number): string {
  return l10n.plural(
    count,
    l10n.t`${l10n.countText(count)} more check not shown.`,
    l10n.t`${l10n.countText(count)} more checks not shown.`,
  );
}

function dateOf(at: number): string | undefined {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined;
}
