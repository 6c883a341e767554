/** Adds what context providers say to the draft, as far as it has room, and says what had none. */
import * as l10n from '../../../base/l10n.ts';
import { emptyDraft } from '../drafts/chatDrafts.ts';
import { messageOf } from '../../../base/errors.ts';
import type { RefObject } from 'preact';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { uriOf } from '../../../views/session/composer/attachments.ts';
import { withItems } from '../../../views/session/composer/contextItems.ts';
import { request } from '../page/pageRequests.ts';
import { useSession } from '../page/sessionContext.tsx';
import type { Draft, EditorThing, FoundContext, Mention } from '../protocol.ts';

export interface ContextItems {
  /** What was found already. */
  add(found: FoundContext): void;
  ofMention(mention: Mention): void;
  /** A symbol, or the problems of a file. */
  ofEditor(thing: EditorThing): void;
  /** Those that are files. Nothing is said where nobody knows anything. */
  ofFiles(attachments: readonly MessageAttachment[]): void;
}

export function useContextItems(
  latest: RefObject<Draft>,
  setDraft: (draft: Draft) => void,
  setProblem: (problem: string | undefined) => void,
): ContextItems {
  const { post } = useSession();
  const add = ({ items: found, budget, problems }: FoundContext, whenNone?: string) => {
    const draft = latest.current ?? emptyDraft;
    // The file may have been removed meanwhile.
    const wanted = found.filter(({ file }) => file === undefined || draft.attachments.some((one) => uriOf(one) === file));
    const { items, leftOut } = withItems(draft.items ?? [], wanted, budget);
    if (items.length > (draft.items?.length ?? 0)) setDraft({ ...draft, items });
    const tooMany =
      leftOut.length > 0
        ? l10n.t`Left out, because context has at most ${l10n.countText(budget)} tokens in a message: ${l10n.commaText(leftOut.map(({ title }) => l10n.t`“${title}”`))}. Remove some, or change the setting “tapline.context.maxTokens”.`
        : undefined;
    const sentences = problems.map((problem) => (/[.!?。！？]$/.test(problem) ? problem : l10n.t`${problem}.`));
    const last = tooMany ?? (found.length === 0 ? whenNone : undefined);
    setProblem(l10n.sentencesText(last === undefined ? sentences : [...sentences, last]) || undefined);
  };
  const fail = (error: unknown) => setProblem(l10n.t`No context was attached: ${messageOf(error)}`);
  return {
    add: (found) => add(found),
    ofMention: (mention) =>
      void request(post, 'contextOfMention', { mention }).then(
        (found) => add(found, l10n.t`The provider has nothing for agents about “${mention.title}”.`),
        fail,
      ),
    ofEditor: (thing) => void request(post, 'contextOfEditor', thing).then((found) => add(found), fail),
    ofFiles(attachments) {
      const uris = attachments.flatMap((one) =>
        one.type === 'resource' && 'displayKind' in one && one.displayKind === 'file' ? (uriOf(one) ?? []) : [],
      );
      if (uris.length > 0) void request(post, 'contextOfFiles', { uris }).then((found) => add(found), fail);
    },
  };
}
