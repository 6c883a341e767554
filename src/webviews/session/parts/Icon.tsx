import { useContext } from 'preact/hooks';
import { SessionContext } from '../page/sessionContext.tsx';

/** A codicon beside a text with the same meaning, hidden from screen readers. While the host is away nothing spins, because its state is not known. */
export function Icon({ name }: { name: string }) {
  const isAway = useContext(SessionContext)?.away === true;
  const shown = name === 'loading' && isAway ? 'debug-disconnect' : name;
  return <span class={`codicon codicon-${shown}${shown === 'loading' ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
