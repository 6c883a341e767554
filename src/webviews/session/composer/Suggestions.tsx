/** A sign and the text after it in the composer suggest what goes into the message: files after `#`, context after `@`, a prompt after `/`. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { VisibleText } from '../text/VisibleText.tsx';

const LIST_ID = 'suggestions';
const optionId = (index: number) => `${LIST_ID}-${index}`;

export interface Suggestion {
  key: string;
  label: string;
  detail: string;
}

export interface SuggestionSource<T> {
  sign: '#' | '@' | '/';
  /** Only at the beginning of the message. */
  first?: true;
  /** Of the list, for screen readers. */
  name: string;
  /** How long the user must rest before the search. */
  delayMs: number;
  /** A search that fails suggests nothing. The next letter searches again. */
  find(query: string): Promise<readonly T[]>;
  shown(found: T): Suggestion;
  /** `text`: that of the composer without what was typed for the search. Returns the text that it leaves there for now, about which nothing is suggested. */
  choose(found: T, text: string): string;
}

export interface Suggestions {
  name: string;
  shown: readonly Suggestion[];
  active: number;
  choose(index: number): void;
  /** True when the key was handled. */
  onKeyDown(event: KeyboardEvent): boolean;
  /** Attributes of the text area while the list is open. */
  textAreaAttributes: Record<string, string | boolean>;
}

export function useSuggestions<T>(area: RefObject<HTMLTextAreaElement | null>, text: string, source: SuggestionSource<T>): Suggestions {
  const [found, setFound] = useState<readonly T[]>([]);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const word = wordAt(source.sign, text, area.current?.selectionStart ?? text.length);
  const query = word === undefined || (source.first && word.start > 0) || text === dismissed ? undefined : word.query;

  useEffect(() => {
    if (query === undefined) {
      setFound([]);
      return undefined;
    }
    let wanted = true;
    const find = () =>
      void source.find(query).then(
        (results) => {
          if (!wanted) return;
          setFound(results);
          setActive(0);
        },
        () => wanted && setFound([]),
      );
    const timer = setTimeout(find, source.delayMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [query]);

  // The same text may be typed again later.
  useEffect(() => setDismissed((known) => (known === text ? known : undefined)), [text]);

  const choose = (index: number) => {
    const one = found[index];
    if (one === undefined || !word) return;
    setDismissed(source.choose(one, `${text.slice(0, word.start)}${text.slice(word.end)}`));
    area.current?.focus();
  };
  const open = query !== undefined && found.length > 0;
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open) return false;
    if (event.key === 'ArrowDown') setActive((active + 1) % found.length);
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(active);
    else if (event.key === 'Escape') {
      event.stopPropagation();
      setDismissed(text);
    } else return false;
    event.preventDefault();
    return true;
  };
  return {
    name: source.name,
    shown: open ? found.map(source.shown) : [],
    active,
    choose,
    onKeyDown,
    textAreaAttributes: open
      ? {
          // A text area of several lines is no combobox.
          'aria-haspopup': 'listbox',
          'aria-controls': LIST_ID,
          'aria-activedescendant': optionId(active),
          'aria-autocomplete': 'list',
        }
      : {},
  };
}

/** The word with the sign that ends at the caret. */
function wordAt(sign: string, text: string, caret: number): { start: number; end: number; query: string } | undefined {
  const before = text.slice(0, caret);
  const start = before.lastIndexOf(sign);
  const query = before.slice(start + 1);
  const isWord = start >= 0 && !/\s/.test(query) && (start === 0 || /\s/.test(before.charAt(start - 1)));
  return isWord ? { start, end: caret, query } : undefined;
}

export function SuggestionList({ suggestions: { name, shown, active, choose } }: { suggestions: Suggestions }) {
  if (shown.length === 0) return null;
  return (
    <ul id={LIST_ID} class="suggestions" role="listbox" aria-label={name}>
      {shown.map(({ key, label, detail }, index) => (
        <li
          key={key}
          id={optionId(index)}
          role="option"
          aria-selected={index === active}
          // The text area keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(index)}
        >
          <span>
            <VisibleText text={label} prose />
          </span>
          <span class="file-folder">
            <VisibleText text={detail} prose />
          </span>
        </li>
      ))}
    </ul>
  );
}
