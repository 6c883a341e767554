/** A thin line under the header when the host is not connected, the copy is not live, or there is none any more; not for a blink of it. */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import type { ConnectionInfo, Draft, ResourceStatus } from './protocol.ts';
import { useLate } from './useLate.ts';
import { post } from './vscodeApi.ts';

export function Banner({ connection, status }: { connection: ConnectionInfo; status: ResourceStatus }) {
  const wrong = connection.kind !== 'connected' || status.kind === 'stale' || status.kind === 'failed';
  const late = useLate(wrong);
  const retryIn = useCountdown(late ? connection.retryAt : undefined);
  if (!late) return null;
  const action = connection.action ?? (isFailed(status) && status.needsSignIn ? signIn : undefined);
  const failed = connection.kind === 'failed' || connection.kind === 'closed' || status.kind === 'failed';
  return (
    <div class={`banner ${failed ? 'banner-error' : ''}`} role="status">
      <Icon name={failed ? 'error' : 'sync'} />
      <span class="row-text">
        {textOf(connection, status)}
        {status.kind === 'stale' && ` What you see is as of ${new Date(status.since).toLocaleTimeString()}.`}
        {retryIn !== undefined && ` Next attempt in ${retryIn} s.`}
      </span>
      {action && (
        <div class="banner-actions">
          <button type="button" class="link-button" onClick={() => post({ type: 'runCommand', command: action.command })}>
            {action.label}
          </button>
        </div>
      )}
    </div>
  );
}

function textOf(connection: ConnectionInfo, status: ResourceStatus): string {
  if (connection.kind === 'connected') return status.kind === 'failed' ? status.message : 'Catching up with the host.';
  if (connection.message) return connection.message;
  switch (connection.kind) {
    case 'connecting':
      return 'Connecting to the host.';
    case 'reconnecting':
      return 'The connection to the host was lost.';
    case 'failed':
      return 'The host cannot be reached.';
    case 'closed':
      return 'The connection to the host is closed.';
  }
}

export const signIn = { label: 'Sign in to GitHub', command: 'signInToGitHub' } as const;

function isFailed(status: ResourceStatus): status is ResourceStatus & { kind: 'failed' } {
  return status.kind === 'failed';
}

interface RemovedBannerProps {
  hostLabel: string;
  /** Something is known of it. */
  isKnown: boolean;
  canReopen: boolean;
  /** The user's words that the session did not come to, as they are now. */
  words(): Draft;
}

/** What happened to a session that the host does not have any more, and what can be done. */
export function RemovedBanner({ hostLabel, isKnown, canReopen, words }: RemovedBannerProps) {
  const { text, attachments } = words();
  const hasWords = text !== '' || attachments.length > 0;
  return (
    <div class="banner banner-error" role="status">
      <Icon name="trash" />
      <span class="row-text">
        This session was removed from {hostLabel}.{isKnown && ' It is shown as it was last known.'}
      </span>
      <div class="banner-actions">
        {canReopen && (
          <button type="button" class="link-button" onClick={() => post({ type: 'reopen' })}>
            Open again
          </button>
        )}
        <button type="button" class="link-button" onClick={() => post({ type: 'newSessionWith', draft: words() })}>
          {hasWords ? 'New session with the same words' : 'New session'}
        </button>
      </div>
    </div>
  );
}

/** Whole seconds until a time; undefined without one or when it is over. */
function useCountdown(until: number | undefined): number | undefined {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (until === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return until === undefined || until <= now ? undefined : Math.ceil((until - now) / 1000);
}
