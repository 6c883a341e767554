/** How many lines were added and removed, where that is known. */
export function Lines({ added, removed }: { added?: number | undefined; removed?: number | undefined }) {
  if (added === undefined && removed === undefined) return null;
  return (
    <span class="result-lines">
      <span class="visually-hidden">
        {added ?? 0} added, {removed ?? 0} removed
      </span>
      <span class="added" aria-hidden="true">
        +{(added ?? 0).toLocaleString('en')}
      </span>{' '}
      <span class="removed" aria-hidden="true">
        −{(removed ?? 0).toLocaleString('en')}
      </span>
    </span>
  );
}
