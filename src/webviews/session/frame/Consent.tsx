/** What the agent may do without asking, for as long as it may: each with a way back. */
import * as l10n from '../../../base/l10n.ts';
import { allowedRows, type AllowedRow, stillUnasked, unaskedSettings } from '../../../views/session/frame/unaskedSettings.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { CodeText } from '../text/CodeText.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import { filled } from '../../text/filled.ts';

/** A longer list is not drawn, so that a host cannot block the page. */
const MAX_ROWS = 100;

/** `confirmed`: the state without what is pending. */
export function Consent({ session, confirmed }: { session: SessionState; confirmed: SessionState }) {
  const { uri, dispatch, readOnly } = useSession();
  return (
    <>
      {unaskedSettings(session).map(({ id, label, description, asks }) => (
        <div key={id} class="banner banner-unasked" role="status">
          <Icon name="warning" />
          <span class="row-text" title={description}>
            {filled(l10n.t('The agent acts without asking you: {0}.'), <VisibleText text={label} prose />)}
          </span>
          {asks !== undefined && !readOnly && (
            <div class="banner-actions">
              <button
                type="button"
                class="link-button"
                onClick={() => dispatch(uri, { type: 'session/configChanged', config: { [id]: asks } })}
              >
                {l10n.t('Ask me again')}
              </button>
            </div>
          )}
        </div>
      ))}
      {stillUnasked(confirmed, session).map(({ id, label }) => (
        <div key={id} class="banner banner-unasked" role="status">
          <Icon name="warning" />
          <span class="row-text">
            {filled(
              l10n.t('The agent still acts without asking you: {0}. Its host has not confirmed yet that it will ask.'),
              <VisibleText text={label} prose />,
            )}
          </span>
        </div>
      ))}
      <Allowed rows={allowedRows(session)} />
    </>
  );
}

function Allowed({ rows }: { rows: readonly AllowedRow[] }) {
  const { post, readOnly } = useSession();
  if (rows.length === 0) return null;
  const { length } = rows;
  const summary = l10n.plural(
    length,
    l10n.t`You have allowed ${l10n.countText(length)} thing in this session`,
    l10n.t`You have allowed ${l10n.countText(length)} things in this session`,
  );
  const takeBack = (taken: readonly AllowedRow[]) => post({ type: 'revokeGrants', grants: taken.map(({ grant }) => grant) });
  return (
    <div class="allowed">
      <Fold id="allowed" summary={<span class="row-text">{summary}</span>}>
        {() => (
          <>
            <ul class="allowed-list" aria-label={l10n.t('Allowed in this session')}>
              {rows.slice(0, MAX_ROWS).map((row) => (
                <li key={JSON.stringify(row.grant)}>
                  {row.exactly === undefined ? (
                    <span class="row-text">{row.what}</span>
                  ) : (
                    <CodeText text={row.exactly} label={row.what} visible />
                  )}
                  {!readOnly && (
                    <button type="button" class="link-button" aria-label={l10n.t`Take back: ${row.what}`} onClick={() => takeBack([row])}>
                      {l10n.t('Take back')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {length > MAX_ROWS && <p class="hint">{notShown(length - MAX_ROWS)}</p>}
            {length > 1 && !readOnly && (
              <button type="button" class="link-button" onClick={() => takeBack(rows)}>
                {l10n.t('Take back all')}
              </button>
            )}
          </>
        )}
      </Fold>
    </div>
  );
}

function notShown(count: number): string {
  return l10n.plural(
    count,
    l10n.t`${l10n.countText(count)} older one is not shown.`,
    l10n.t`${l10n.countText(count)} older ones are not shown.`,
  );
}
