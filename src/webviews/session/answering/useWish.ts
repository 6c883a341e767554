/** What the extension wishes of the page. It is kept until it can be granted, unless the user has done something since. */
import { useEffect, useRef } from 'preact/hooks';

/** `grant` is tried at once and with each rendering, until it says `done`. A new wish takes the place of the one before. */
export function useWish<T extends object>(grant: (wish: T) => 'done' | 'loading'): (wish: T) => void {
  const wanted = useRef<T>(undefined);
  const goOn = () => {
    if (wanted.current && grant(wanted.current) === 'done') wanted.current = undefined;
  };
  useEffect(goOn);
  useEffect(() => {
    const forget = () => (wanted.current = undefined);
    const events = ['keydown', 'pointerdown'] as const;
    for (const event of events) document.addEventListener(event, forget, true);
    return () => {
      for (const event of events) document.removeEventListener(event, forget, true);
    };
  }, []);
  return (wish) => {
    wanted.current = wish;
    goOn();
  };
}
