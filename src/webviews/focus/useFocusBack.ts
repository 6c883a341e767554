import { useLayoutEffect, useRef } from 'preact/hooks';

/** The focus goes back to what has opened something, once that is closed. */
export function useFocusBack(isOpen: boolean, opener: { readonly current: HTMLElement | null }): void {
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (!isOpen && wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
}
