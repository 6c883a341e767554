/** What the composer suggests: files of the session's host after `#`, and what context providers know after `@`. */
import type { RefObject } from 'preact';
import type { FileAttachment } from '../../../views/session/composer/attachments.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { request } from '../page/requests.ts';
import { useSession } from '../page/sessionContext.tsx';
import type { Draft, Mention } from '../protocol.ts';
import type { ContextItems } from './contextItems.ts';
import { emptyDraft, withAttachments } from './drafts.ts';
import type { SuggestionSource } from './Suggestions.tsx';

interface ComposerSources {
  files: SuggestionSource<FileAttachment>;
  mentions: SuggestionSource<Mention>;
}

export function useComposerSources(latest: RefObject<Draft>, setDraft: (draft: Draft) => void, context: ContextItems): ComposerSources {
  const { post, workingDirectory } = useSession();
  const draft = () => latest.current ?? emptyDraft;
  return {
    files: {
      sign: '#',
      // Language services are asked, too.
      delayMs: 100,
      name: 'Files, folders, symbols and problems',
      find: (query) => request(post, 'findFiles', { query }),
      shown({ uri, label, displayKind, selection }) {
        const path = displayPath(uri, workingDirectory);
        const key = JSON.stringify([displayKind, uri, label, selection]);
        return { key, label: label || path.slice(path.lastIndexOf('/') + 1), detail: path };
      },
      choose(file, text) {
        const { displayKind: kind, uri, label, selection } = file;
        if (kind === 'symbol' || kind === 'problems') {
          setDraft({ ...draft(), text });
          return context.ofEditor({ kind, uri, label, line: selection?.range.start.line ?? 0 });
        }
        setDraft(withAttachments({ ...draft(), text }, [file]));
        context.ofFiles([file]);
      },
    },
    mentions: {
      sign: '@',
      // Each may be a request to a server.
      delayMs: 150,
      name: 'Context',
      find: (query) => request(post, 'findMentions', { query }),
      shown: ({ provider, uri, title, description }) => ({
        key: JSON.stringify([provider, uri]),
        label: title,
        detail: description === undefined ? provider : `${description} · ${provider}`,
      }),
      choose(mention, text) {
        setDraft({ ...draft(), text });
        context.ofMention(mention);
      },
    },
  };
}
