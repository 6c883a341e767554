import { useContext } from 'preact/hooks';
import { SessionContext } from '../page/sessionContext.tsx';

/** A codicon beside a text that says the same: hidden from screen readers. Of a host that is away nobody knows what goes on: nothing turns. */
export function Icon({ name }: { name: string }) {
  const isAway = useContext(SessionContext)?.away === true;
  const shown = name === 'loading' && isAway ? 'debug-disconnect' : name;
  return <span class={`codicon codicon-${shown}${shown === 'loading' ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
