/** Says whether a component is rendered inside a waiting card. The user decides by its content, so all of it has to be visible. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

export const Judged = createContext(false);

export function useIsJudged(): boolean {
  return useContext(Judged);
}
