/** The text of a notification that has links in place of buttons. */
import { withoutMarkup } from '../withoutMarkup.ts';

export interface TextLink {
  /** Ours, not a stranger's. */
  readonly label: string;
  readonly target: string;
}

/** Brackets in a stranger's words could extend the text of a link, so they are replaced. */
export function withLinks(text: string, links: readonly TextLink[]): string {
  const words = withoutMarkup(text).replaceAll('[', '(').replaceAll(']', ')');
  return `${words} ${links.map(({ label, target }) => `[${label}](${target})`).join(' · ')}`;
}
