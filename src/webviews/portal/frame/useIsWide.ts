import { useEffect, useState } from 'preact/hooks';

/** There is room for a list and what is chosen of it. `frame.css` has the same width. */
const wide = window.matchMedia('(min-width: 900px)');

export function useIsWide(): boolean {
  const [isWide, set] = useState(wide.matches);
  useEffect(() => {
    const look = () => set(wide.matches);
    wide.addEventListener('change', look);
    return () => wide.removeEventListener('change', look);
  }, []);
  return isWide;
}
