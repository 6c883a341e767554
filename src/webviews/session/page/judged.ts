/** Tells what is drawn inside of a waiting card from what is drawn elsewhere: the user decides by it, so all of it must come into view. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

export const Judged = createContext(false);

export function useIsJudged(): boolean {
  return useContext(Judged);
}
