/** "Watching 2"; undefined where nothing is or was watched. It stands alone, because a page needs it before all else of emitters. */
export function watchedText({ active, all }: { active: number; all: number }): string | undefined {
  if (all === 0) return undefined;
  return active === 0 ? 'Nothing watched now' : `Watching ${active}`;
}
