/** Opens what hides a part of a turn, for a user who looks for something in it. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const REVEAL = 'tapline-reveal';

/** `key`: of the part, as its row has it. */
export function reveal(turn: Element, key: string): void {
  for (const element of turn.querySelectorAll('[data-reveals]')) element.dispatchEvent(new CustomEvent(REVEAL, { detail: key }));
}

/** The element has the attribute `data-reveals`. `open` is called with the key of the part that is looked for, which may be another one. */
export function useReveal(element: RefObject<HTMLElement | null>, open: (key: string) => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const current = element.current;
    const listen = (event: Event) => latest.current(String((event as CustomEvent<unknown>).detail));
    current?.addEventListener(REVEAL, listen);
    return () => current?.removeEventListener(REVEAL, listen);
  }, [element]);
}
