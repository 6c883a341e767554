/** Colours code that stands in the page as plain text. */
import { useEffect, useState } from 'preact/hooks';
import type { CodePart } from './codeParts.ts';
import { pageColouring } from './pageColouring.ts';

/** Undefined while the code is plain. `language` undefined: it stays plain. */
export function useColours(code: string, language: string | undefined): readonly CodePart[] | undefined {
  const request = { code, language: language ?? '' };
  const [found, setFound] = useState<{ code: string; language: string; parts: readonly CodePart[] | undefined }>();
  useEffect(() => {
    if (request.language === '' || pageColouring.known(request)) return undefined;
    return pageColouring.colour(request, (parts) => setFound({ ...request, parts }));
  }, [code, request.language]);
  if (request.language === '') return undefined;
  return found?.code === code && found.language === language ? found.parts : pageColouring.known(request);
}

/** For an element that holds nothing but the text. Returns what ends it. */
export function colourElement(element: HTMLElement, language: string): () => void {
  return pageColouring.colour({ code: element.textContent ?? '', language }, (parts) => {
    if (parts) element.replaceChildren(...parts.map(nodeOf));
  });
}

function nodeOf({ text, kind }: CodePart): Node {
  if (!kind) return document.createTextNode(text);
  const span = document.createElement('span');
  span.className = `code-${kind}`;
  span.textContent = text;
  return span;
}
