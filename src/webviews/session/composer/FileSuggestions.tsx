/** `#` in the composer suggests files whose name matches the text after it. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MessageAttachment } from '../../../ahp/v1/common.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import type { Draft } from '../protocol.ts';
import { request } from '../page/requests.ts';
import { useSession } from '../page/sessionContext.tsx';

const LIST_ID = 'file-suggestions';
const optionId = (index: number) => `${LIST_ID}-${index}`;

export interface Suggestions {
  files: readonly MessageAttachment[];
  active: number;
  choose(index: number): void;
  /** True when the key was handled. */
  onKeyDown(event: KeyboardEvent): boolean;
  /** Attributes of the text area while the list is open. */
  comboboxAttributes: Record<string, string | boolean>;
}

export function useFileSuggestions(
  area: RefObject<HTMLTextAreaElement | null>,
  draft: Draft,
  setDraft: (draft: Draft) => void,
): Suggestions {
  const { post } = useSession();
  const [files, setFiles] = useState<readonly MessageAttachment[]>([]);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const word = wordAt(draft.text, area.current?.selectionStart ?? draft.text.length);
  const query = word === undefined || draft.text === dismissed ? undefined : word.query;

  useEffect(() => {
    if (query === undefined) {
      setFiles([]);
      return undefined;
    }
    let wanted = true;
    request(post, 'findFiles', { query }).then(
      (found) => {
        if (!wanted) return;
        setFiles(found);
        setActive(0);
      },
      // A search that fails suggests nothing. The next letter searches again.
      () => wanted && setFiles([]),
    );
    return () => {
      wanted = false;
    };
  }, [post, query]);

  const choose = (index: number) => {
    const file = files[index];
    if (!file || !word) return;
    const text = `${draft.text.slice(0, word.start)}${draft.text.slice(word.end)}`;
    const known = draft.attachments.some((attachment) => attachment.uri === file.uri);
    setDraft({ text, attachments: known ? draft.attachments : [...draft.attachments, file] });
    area.current?.focus();
  };
  const open = query !== undefined && files.length > 0;
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % files.length);
    else if (event.key === 'ArrowUp') setActive((active + files.length - 1) % files.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(active);
    else if (event.key === 'Escape') {
      event.stopPropagation();
      setDismissed(draft.text);
    } else return false;
    event.preventDefault();
    return true;
  };
  return {
    files: open ? files : [],
    active,
    choose,
    onKeyDown,
    comboboxAttributes: open
      ? {
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': LIST_ID,
          'aria-activedescendant': optionId(active),
          'aria-autocomplete': 'list',
        }
      : {},
  };
}

/** The `#word` that ends at the caret. */
function wordAt(text: string, caret: number): { start: number; end: number; query: string } | undefined {
  const match = /(?:^|\s)#([^\s#]*)$/.exec(text.slice(0, caret));
  const query = match?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, end: caret, query };
}

export function FileSuggestions({ suggestions: { files, active, choose } }: { suggestions: Suggestions }) {
  const { workingDirectory } = useSession();
  if (files.length === 0) return null;
  return (
    <ul id={LIST_ID} class="suggestions" role="listbox" aria-label="Files">
      {files.map((file, index) => {
        const path = displayPath(file.uri, workingDirectory);
        return (
          <li
            key={file.uri}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            // The text area keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(index)}
          >
            <span>{file.displayName ?? path.slice(path.lastIndexOf('/') + 1)}</span>
            <span class="file-folder">{path}</span>
          </li>
        );
      })}
    </ul>
  );
}
