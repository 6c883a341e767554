import { useLayoutEffect } from 'preact/hooks';

/** Where what has the focus goes away with a change, the first element that `selector` finds gets it. */
export function useKeptFocus(container: { readonly current: HTMLElement | null }, selector: string): void {
  const had = container.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    const { current } = container;
    if (had && current && !current.contains(document.activeElement)) current.querySelector<HTMLElement>(selector)?.focus();
  });
}
