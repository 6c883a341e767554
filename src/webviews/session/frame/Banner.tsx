/** The banner below the header, shown when the host has been disconnected for a moment or the session is not live. */
import * as l10n from '../../../base/l10n.ts';
import { Icon } from '../parts/Icon.tsx';
import type { ConnectionInfo, Draft, ResourceStatus } from '../protocol.ts';
import { useLate } from '../page/useLate.ts';
import { useSession } from '../page/sessionContext.tsx';

const toSecond = l10n.dateFormat({ timeStyle: 'medium' });

export function Banner({ connection, status }: { connection: ConnectionInfo; status: ResourceStatus }) {
  const { post } = useSession();
  const wrong = connection.kind !== 'connected' || status.kind === 'stale' || status.kind === 'failed';
  const late = useLate(wrong);
  if (!late) return null;
  const action = connection.action ?? (isFailed(status) && status.needsSignIn ? signIn : undefined);
  const failed = connection.kind === 'failed' || connection.kind === 'closed' || status.kind === 'failed';
  const text = textOf(connection, status);
  const { brief, retryIn } = connection;
  return (
    <div class={`banner ${failed ? 'banner-error' : ''}`} role="status">
      <Icon name={failed ? 'error' : 'debug-disconnect'} />
      <span class="row-text" title={text}>
        <span class={brief === undefined ? '' : 'banner-text'}>{text}</span>
        {/* A screen reader would announce each second, so it gets the full text only. */}
        <span aria-hidden="true">
          {brief !== undefined && <span class="banner-brief">{l10n.t`${brief}.`}</span>}
          {retryIn !== undefined && ` ${l10n.t`Retry in ${retryIn} s.`}`}
        </span>
      </span>
      {(action || status.kind === 'stale') && (
        <div class="banner-actions">
          {status.kind === 'stale' && (
            <span title={l10n.t('What you see is what was known then.')}>{l10n.t`As of ${toSecond.format(status.since)}`}</span>
          )}
          {action && (
            <button
              type="button"
              class="link-button"
              data-needs="commands"
              onClick={() => post({ type: 'runCommand', command: action.command })}
            >
              {action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function textOf(connection: ConnectionInfo, status: ResourceStatus): string {
  if (connection.kind === 'connected') return status.kind === 'failed' ? status.message : l10n.t('Catching up with the host.');
  if (connection.message) return connection.message;
  switch (connection.kind) {
    case 'connecting':
      return l10n.t('Connecting to the host.');
    case 'reconnecting':
      return l10n.t('The connection to the host was lost.');
    case 'failed':
      return l10n.t('The host cannot be reached.');
    case 'closed':
      return l10n.t('The connection to the host is closed.');
  }
}

export const signIn = { label: l10n.t('Sign in to GitHub'), command: 'signInToGitHub' } as const;

function isFailed(status: ResourceStatus): status is ResourceStatus & { kind: 'failed' } {
  return status.kind === 'failed';
}

interface RemovedBannerProps {
  hostLabel: string;
  /** A last known state is shown. */
  isKnown: boolean;
  canReopen: boolean;
  /** Returns the user's messages that the session did not process. */
  words(): Draft;
}

/** What happened to a session that the host no longer has, and what the user can do. */
export function RemovedBanner({ hostLabel, isKnown, canReopen, words }: RemovedBannerProps) {
  const { post } = useSession();
  const { text, attachments } = words();
  const hasWords = text !== '' || attachments.length > 0;
  return (
    <div class="banner banner-error" role="status">
      <Icon name="trash" />
      <span class="row-text">
        {isKnown
          ? l10n.t`This session was removed from ${hostLabel}. It is shown as it was last known.`
          : l10n.t`This session was removed from ${hostLabel}.`}
      </span>
      <div class="banner-actions">
        {canReopen && (
          <button type="button" class="link-button" onClick={() => post({ type: 'reopen' })}>
            {l10n.t('Open again')}
          </button>
        )}
        <button type="button" class="link-button" data-needs="start" onClick={() => post({ type: 'newSessionWith', draft: words() })}>
          {hasWords ? l10n.t('New session with the same words') : l10n.t({ message: 'New session', comment: 'a button' })}
        </button>
      </div>
    </div>
  );
}
