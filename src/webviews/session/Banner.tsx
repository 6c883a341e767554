/** A thin line under the header when the host is not connected or the copy is not live; not for a blink of it. */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './Icon.tsx';
import type { ConnectionInfo, ResourceStatus } from './protocol.ts';
import { useLate } from './useLate.ts';
import { post } from './vscodeApi.ts';

export function Banner({ connection, status }: { connection: ConnectionInfo; status: ResourceStatus }) {
  const wrong = connection.kind !== 'connected' || status.kind === 'stale' || status.kind === 'failed';
  const late = useLate(wrong);
  const retryIn = useCountdown(late ? connection.retryAt : undefined);
  if (!late) return null;
  const { action } = connection;
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
        <button type="button" class="link-button" onClick={() => post({ type: 'runCommand', command: action.command })}>
          {action.label}
        </button>
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
