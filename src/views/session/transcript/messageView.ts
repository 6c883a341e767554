/** A message that began a turn: the user's own words, or what something else sent, and what providers added to it or to the system message. */
import * as l10n from '../../../base/l10n.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import { sourceOf } from '../composer/contextItems.ts';
import type { SectionPart } from '../../../ahp/hookRequests.ts';
import { type ContextPart, splitContext } from '../../../base/text/contextBlock.ts';

/** What a message of the user shows at first. */
export const MESSAGE_ROOM = { lines: 12, characters: 1500 };

export interface AddedPart {
  /** For example "Context from ci". */
  label: string;
  content: string;
}

export interface MessageView {
  /** The words of the user, or of what began the turn. */
  words: string;
  /** What began the turn: a provider with the stream of its event, or something of the host's. Absent where the user did. */
  sentBy?: { provider: string; stream?: string } | { what: string };
  /** One for each section. */
  added: readonly AddedPart[];
}

type AddedKind = Exclude<ContextPart['kind'], 'push'>;

const labels: { readonly [K in AddedKind]: (from: string) => string } = {
  context: (from) => l10n.t`Context from ${from}`,
  startup: (from) => l10n.t`Context for the start of the session from ${from}`,
  section: (from) => l10n.t`Instructions from ${from}`,
  hook: (from) => l10n.t`Context for a tool call from ${from}`,
  item: (from) => l10n.t`Attached context from ${from}`,
};

const namedLabels: { readonly [K in AddedKind]: (name: string, from: string) => string } = {
  context: (name, from) => l10n.t`Context (${name}) from ${from}`,
  startup: (name, from) => l10n.t`Context for the start of the session (${name}) from ${from}`,
  section: (name, from) => l10n.t`Instructions (${name}) from ${from}`,
  hook: (name, from) => l10n.t`Context for a tool call (${name}) from ${from}`,
  item: (name, from) => l10n.t`Attached context (${name}) from ${from}`,
};

const origins: Readonly<Record<string, string>> = {
  agent: l10n.t('an agent'),
  tool: l10n.t('a tool'),
  automation: l10n.t('an automation'),
  systemNotification: l10n.t('the host'),
};

/** `sections`: what the host added to the system message of the turn. */
export function messageView({ text, origin }: Pick<Message, 'text' | 'origin'>, sections: readonly SectionPart[] = []): MessageView {
  const { parts, words } = splitContext(text);
  const push = parts.find(({ kind }) => kind === 'push');
  const added = [
    ...sections.map((section) => ({
      label: l10n.t`${labelOf(section.kind, section)}, in the system message`,
      content: contentOf(section),
    })),
    ...parts.flatMap((part) => (part.kind === 'push' ? [] : [{ label: labelOf(part.kind, part), content: part.content }])),
  ];
  if (origin.kind !== 'user') {
    const what = Object.hasOwn(origins, origin.kind) ? origins[origin.kind] : undefined;
    return { words: words || (push?.content ?? ''), sentBy: { what: what ?? l10n.t('something that this version does not know') }, added };
  }
  if (!push) return { words, added };
  const { provider, name: stream } = push;
  return { words: words || push.content, sentBy: { provider, ...(stream !== undefined && stream !== provider && { stream }) }, added };
}

function contentOf({ content, length }: SectionPart): string {
  const more = length - content.length;
  if (more <= 0) return content;
  return (
    content + l10n.plural(more, l10n.t`… (${l10n.countText(more)} more character)`, l10n.t`… (${l10n.countText(more)} more characters)`)
  );
}

function labelOf(kind: AddedKind, { provider, name }: Pick<ContextPart, 'provider' | 'name'>): string {
  const from = kind === 'item' ? sourceOf(provider) : provider;
  return name === undefined ? labels[kind](from) : namedLabels[kind](name, from);
}
