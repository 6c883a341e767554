/** What the composer suggests: files of the session's host after `#`, what context providers know after `@`, prompt files and commands after `/`. */
import * as l10n from '../../../base/l10n.ts';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import { messageOf } from '../../../base/errors.ts';
import type { FileAttachment } from '../../../views/session/composer/attachments.ts';
import type { OfferedPrompt } from '../../../views/session/composer/promptFiles.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { request } from '../page/pageRequests.ts';
import { useSession } from '../page/sessionContext.tsx';
import type { Draft, Mention } from '../protocol.ts';
import type { OfferedCommand } from '../watching/slashCommands.tsx';
import { slashWords } from '../watching/slashWords.ts';
import type { ContextItems } from './useContextItems.ts';
import { emptyDraft, withAttachments } from '../drafts/chatDrafts.ts';
import type { SuggestionSource } from './Suggestions.tsx';

/** A message that the agent of the host carries out, a command of ours, or a prompt file, of which the text becomes the message. */
type SlashItem = { command: string } | OfferedCommand | OfferedPrompt;

interface ComposerSources {
  slash: SuggestionSource<SlashItem>;
  files: SuggestionSource<FileAttachment>;
  mentions: SuggestionSource<Mention>;
}

interface SourceOptions {
  /** Of the chat to which the draft belongs. */
  draftKey: URI;
  latest: RefObject<Draft>;
  setDraft(draft: Draft): void;
  /** For what has nothing in it but what the user has typed and chosen of ours. */
  setOwn(draft: Draft): void;
  context: ContextItems;
  /** The message that compacts the context, where the agent can do that. */
  compact: string | undefined;
  /** Shows what went wrong. */
  fail(problem: string): void;
}

export function useComposerSources({ draftKey, latest, setDraft, setOwn, context, compact, fail }: SourceOptions): ComposerSources {
  const { post, workingDirectory, store } = useSession();
  const draft = () => latest.current ?? emptyDraft;
  const chat = useRef(draftKey);
  chat.current = draftKey;
  /** The prompt that was chosen last. */
  const wanted = useRef<OfferedPrompt>(undefined);
  const choosePrompt = async (item: OfferedPrompt, word: string): Promise<void> => {
    wanted.current = item;
    try {
      const prompt = await request(post, 'readPrompt', { path: item.path });
      if (wanted.current !== item || chat.current !== draftKey) return;
      // What was typed meanwhile stays.
      const now = draft().text;
      const after = now.startsWith(word) ? now.slice(word.length) : `\n${now}`;
      setDraft({ ...draft(), text: `${prompt.text}${after}` });
    } catch (error) {
      if (wanted.current === item && chat.current === draftKey) fail(messageOf(error));
    }
  };
  return {
    slash: {
      sign: '/',
      first: true,
      delayMs: 100,
      name: l10n.t('Prompts and commands'),
      async find(query) {
        const typed = `/${query.toLowerCase()}`;
        const commands = compact?.toLowerCase().startsWith(typed) && compact.toLowerCase() !== typed ? [{ command: compact }] : [];
        const watches = !store.state.lacks?.includes('emitters');
        const ours = slashWords.whenLoaded().then(
          (words) => words.offered(typed, watches),
          () => [],
        );
        return [...commands, ...(await ours), ...(await request(post, 'findPrompts', { query }).catch(() => []))];
      },
      shown: (item) =>
        'command' in item
          ? {
              key: item.command,
              label: item.command,
              detail: 'detail' in item ? item.detail : l10n.t('The agent goes on with a summary of the conversation'),
            }
          : { key: item.path, label: `/${item.name}`, detail: item.description ? `${item.description} · ${item.path}` : item.path },
      choose(item, text) {
        const typed = draft().text;
        if (!('command' in item)) {
          void choosePrompt(item, typed.slice(0, typed.length - text.length));
          return typed;
        }
        const message = `${item.command}${text}`;
        if ('detail' in item) setOwn({ ...draft(), text: message });
        else setDraft({ ...draft(), text: message });
        return message;
      },
    },
    files: {
      sign: '#',
      // Language services are asked, too.
      delayMs: 100,
      name: l10n.t('Files, folders, symbols and problems'),
      find: (query) => request(post, 'findFiles', { query }),
      shown({ uri, label, displayKind, selection }) {
        const path = displayPath(uri, workingDirectory);
        const key = JSON.stringify([displayKind, uri, label, selection]);
        return { key, label: label || path.slice(path.lastIndexOf('/') + 1), detail: path };
      },
      choose(file, text) {
        const { displayKind: kind, uri, label, selection } = file;
        if (kind === 'symbol' || kind === 'problems') {
          setOwn({ ...draft(), text });
          context.ofEditor({ kind, uri, label, line: selection?.range.start.line ?? 0 });
        } else {
          setOwn(withAttachments({ ...draft(), text }, [file]));
          context.ofFiles([file]);
        }
        return text;
      },
    },
    mentions: {
      sign: '@',
      // Each may be a request to a server.
      delayMs: 150,
      name: l10n.t('Context'),
      find: (query) => request(post, 'findMentions', { query }),
      shown: ({ provider, uri, title, description }) => ({
        key: JSON.stringify([provider, uri]),
        label: title,
        detail: description === undefined ? provider : `${description} · ${provider}`,
      }),
      choose(mention, text) {
        setOwn({ ...draft(), text });
        context.ofMention(mention);
        return text;
      },
    },
  };
}
