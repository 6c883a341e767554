/** What the agent may do without asking, for as long as it may: each with a way back. */
import * as l10n from '@vscode/l10n';
import { allowedRows, type AllowedRow, stillUnasked, unaskedSettings } from '../../../views/session/frame/unaskedSettings.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { counted } from '../../../views/text/counted.ts';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { CodeText } from '../text/CodeText.tsx';
import { VisibleText } from '../text/VisibleText.tsx';

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
            The agent acts without asking you: <VisibleText text={label} prose />.
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
            The agent still acts without asking you: <VisibleText text={label} prose />. Its host has not confirmed yet that it will ask.
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
  const takeBack = (taken: readonly AllowedRow[]) => post({ type: 'revokeGrants', grants: taken.map(({ grant }) => grant) });
  return (
    <div class="allowed">
      <Fold id="allowed" summary={<span class="row-text">You have allowed {counted(rows.length, 'thing')} in this session</span>}>
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
            {rows.length > MAX_ROWS && <p class="hint">{rows.length - MAX_ROWS} older ones are not shown.</p>}
            {rows.length > 1 && !readOnly && (
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
