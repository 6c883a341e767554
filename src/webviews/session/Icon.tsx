/** A codicon beside a text that says the same: hidden from screen readers. */
export function Icon({ name }: { name: string }) {
  return <span class={`codicon codicon-${name}${name === 'loading' ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
