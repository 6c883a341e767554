/** Reports of providers and the bridge, as rows between the parts of the session. */
import * as l10n from '../../../base/l10n.ts';
import type { PendingPairing } from '../../../views/pairing/pairingView.ts';
import { remainingText, spoken } from '../../../views/pairing/pairingView.ts';
import { encodedNameHint, whoAsks } from '../../../views/pairing/originWords.ts';
import { foldedRows, type TimelineRow, timelineRowView } from '../../../views/session/transcript/timelineRows.ts';
import { filled } from '../../text/filled.ts';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { post } from '../page/pageShell.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { ProviderName } from '../toolCall/Runner.tsx';
import { useSeconds } from '../page/useSeconds.ts';
import { CardButtons } from '../waiting/CardButtons.tsx';

export function TimelineRows({ rows }: { rows: readonly TimelineRow[] }) {
  const { folded, shown } = foldedRows(rows);
  return (
    <div class="timeline">
      {folded.length > 0 && (
        <Fold id={`timeline ${folded[0]?.id}`} summary={<span class="row-text">{foldedText(folded.length)}</span>}>
          {() => folded.map((row) => <TimelineLine key={row.id} row={row} />)}
        </Fold>
      )}
      {shown.map((row) => (
        <TimelineLine key={row.id} row={row} />
      ))}
    </div>
  );
}

function foldedText(count: number): string {
  return l10n.plural(count, l10n.t`${l10n.countText(count)} earlier event`, l10n.t`${l10n.countText(count)} earlier events`);
}

function TimelineLine({ row }: { row: TimelineRow }) {
  const { icon, provider, stream, emitter, text, note } = timelineRowView(row);
  return (
    <div class={`timeline-row timeline-${row.kind}`} data-row={row.id}>
      <Icon name={icon} />
      <div class="timeline-text">
        {emitter !== undefined && <span class="fact">{l10n.t`Watched: ${emitter}`}</span>}
        {provider !== undefined && (
          <span class="timeline-head">
            <ProviderName name={provider} />
            {stream !== undefined && <span class="fact"> · {stream}</span>}
          </span>
        )}{' '}
        <span class="timeline-words">
          <VisibleText text={text} />
        </span>
        {note !== undefined && <span class="fact timeline-note">{note}</span>}
      </div>
      <time class="fact" dateTime={new Date(row.at).toISOString()}>
        {isDrawnElsewhere ? '' : clockTime.format(row.at)}
      </time>
    </div>
  );
}

/** By the extension, which may run on another computer, in another time zone. */
const isDrawnElsewhere = typeof document === 'undefined';
const clockTime = l10n.dateFormat({ hour: '2-digit', minute: '2-digit' });

/** A code that waits to be entered in a page or a program, which then lends its tools. */
export function PairingRow({ pairing: { id, code, origin, expiresAt } }: { pairing: PendingPairing }) {
  const hint = encodedNameHint(origin);
  return (
    <section class="card pairing-card" aria-label={l10n.t('Pairing code')}>
      <div class="row">
        <Icon name="key" />
        <span class="row-text">{filled(l10n.t('Pairing code for {0}'), <strong class="pairing-origin">{whoAsks(origin)}</strong>)}</span>
        <Countdown expiresAt={expiresAt} />
      </div>
      <p class="pairing-code" aria-label={l10n.t`Code ${spoken(code)}`} role="img">
        {code}
      </p>
      <p class="hint">{l10n.t('Enter it there to let it lend tools to your sessions. Deny it if you did not ask for it.')}</p>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <CardButtons>
        <vscode-button onClick={() => post({ type: 'copy', text: code })}>{l10n.t('Copy Pairing Code')}</vscode-button>
        <vscode-button secondary onClick={() => post({ type: 'denyPairing', pairingId: id })}>
          {l10n.t('Deny')}
        </vscode-button>
      </CardButtons>
    </section>
  );
}

/** A screen reader would read each second. */
function Countdown({ expiresAt }: { expiresAt: number }) {
  const now = useSeconds();
  return (
    <span class="fact row-end" aria-hidden="true">
      {remainingText(expiresAt - now)}
    </span>
  );
}
