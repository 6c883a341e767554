/**
 * What a person has allowed for the rest of the session. It is kept in the session's `_meta`, and so lasts exactly as long as the session:
 * over a sleep and the end of the host, not into forks, and not into another session of its name.
 */
import type { SessionState } from '../../../../ahp/v1/session.ts';
import type { AgentSessionHost } from '../../agent.ts';
import type { Grant } from './permissions.ts';

const GRANTS = 'tapline.grants';
/** The newest count. */
const MAX_GRANTS = 500;

export function grantsOf({ _meta }: Pick<SessionState, '_meta'>): Grant[] {
  const kept = _meta?.[GRANTS];
  return Array.isArray(kept) ? kept.filter(isGrant) : [];
}

export function keepGrant(host: Pick<AgentSessionHost, 'state' | 'setMeta'>, grant: Grant): void {
  const others = grantsOf(host.state).filter((kept) => JSON.stringify(kept) !== JSON.stringify(grant));
  host.setMeta(GRANTS, [...others, grant].slice(-MAX_GRANTS));
}

/** What another version has kept is not guessed at: it is asked again. */
function isGrant(value: unknown): value is Grant {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, ...rest } = value as Record<string, unknown>;
  const [key, ...more] = Object.keys(rest);
  if (key === undefined || more.length > 0 || typeof rest[key] !== 'string' || rest[key] === '') return false;
  switch (kind) {
    case 'command':
      return key === 'text';
    case 'read':
    case 'write':
      return key === 'root';
    case 'url':
      return key === 'origin';
    case 'tool':
      return key === 'name';
    default:
      return false;
  }
}
