/** Whether Enter is meant for what stands above the message field: it must have been there, for this very text, for as long as the cards wait. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { GUARD_MS } from '../answering/useSteady.ts';
import type { Draft } from '../protocol.ts';

export interface ReadHint {
  /** What Enter does with this text has been there for long enough. Returns what ends it. */
  read(this: void, text: string): () => void;
  /** Enter, or what does the same, was pressed. A key that is held down is not pressed again. */
  pressed(isHeld?: boolean): void;
  isMeant(draft: Draft): boolean;
}

export function useReadHint(latest: { readonly current: Draft }): ReadHint {
  const shown = useRef<string>(undefined);
  const meant = useRef<Draft>(undefined);
  const read = useCallback((text: string) => {
    shown.current = text;
    return () => (shown.current = undefined);
  }, []);
  return {
    read,
    pressed(isHeld = false) {
      meant.current = shown.current === latest.current.text && !isHeld ? latest.current : undefined;
    },
    isMeant: (draft) => meant.current === draft,
  };
}

/** In what says what Enter does: whether it has been there for long enough. */
export function useIsRead(text: string, onRead: ReadHint['read']): boolean {
  const [read, setRead] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setRead(text), GUARD_MS);
    return () => {
      clearTimeout(timer);
      setRead(undefined);
    };
  }, [text]);
  const isRead = read === text;
  useLayoutEffect(() => (isRead ? onRead(text) : undefined), [isRead, text, onRead]);
  return isRead;
}
