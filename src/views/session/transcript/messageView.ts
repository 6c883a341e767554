/** A message that began a turn: the user's own words, or what a provider sent, and what providers added to it or to the system message. */
import type { SectionPart } from '../../../ahp/hookRequests.ts';
import { type ContextPart, splitContext } from '../../../base/contextBlock.ts';

export interface AddedPart {
  /** For example "Context from ci". */
  label: string;
  content: string;
}

export interface MessageView {
  /** The words of the user, or of the provider that began the turn. */
  words: string;
  /** The provider and the stream of the event that began the turn; absent where the user did. */
  sentBy?: { provider: string; stream?: string };
  /** One for each section. */
  added: readonly AddedPart[];
}

const labels: Readonly<Record<Exclude<ContextPart['kind'], 'push'>, string>> = {
  context: 'Context',
  startup: 'Context for the start of the session',
  section: 'Instructions',
  hook: 'Context for a tool call',
  item: 'Attached context',
};

/** `sections`: what the host added to the system message of the turn. */
export function messageView(text: string, sections: readonly SectionPart[] = []): MessageView {
  const { parts, words } = splitContext(text);
  const push = parts.find(({ kind }) => kind === 'push');
  const added = [
    ...sections.map((section) => ({ label: `${labelOf(section.kind, section)}, in the system message`, content: contentOf(section) })),
    ...parts.flatMap((part) => (part.kind === 'push' ? [] : [{ label: labelOf(part.kind, part), content: part.content }])),
  ];
  if (!push) return { words, added };
  const { provider, name: stream } = push;
  return { words: words || push.content, sentBy: { provider, ...(stream !== undefined && stream !== provider && { stream }) }, added };
}

function contentOf({ content, length }: SectionPart): string {
  return length > content.length ? `${content}… (${(length - content.length).toLocaleString('en')} more characters)` : content;
}

function labelOf(kind: keyof typeof labels, { provider, name }: Pick<ContextPart, 'provider' | 'name'>): string {
  return `${labels[kind]}${name === undefined ? '' : ` (${name})`} from ${provider}`;
}
