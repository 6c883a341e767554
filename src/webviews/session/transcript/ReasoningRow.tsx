/** Reasoning, folded into one line. */
import * as l10n from '../../../base/l10n.ts';
import type { Row } from '../../../views/session/transcript/transcript.ts';
import { durationText } from '../../../views/text/time/duration.ts';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Markdown } from '../text/Markdown.tsx';
import { useSession } from '../page/sessionContext.tsx';

export function ReasoningRow({ row }: { row: Extract<Row, { kind: 'reasoning' }> }) {
  const { store, away } = useSession();
  const now = away ? l10n.t('Was thinking') : l10n.t('Thinking');
  const duration = store.times.duration(row.id);
  const label = row.running ? now : duration === undefined ? l10n.t('Thought') : l10n.t`Thought for ${durationText(duration)}`;
  return (
    <Fold
      id={row.key}
      class="reasoning"
      summary={
        <>
          <Icon name={row.running ? 'loading' : 'lightbulb'} />
          <span class="row-text">{label}</span>
        </>
      }
    >
      {() => <Markdown text={row.text} />}
    </Fold>
  );
}
