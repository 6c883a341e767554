/** Notes which text of a message field is the user's own: typed or pasted there. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { Draft } from '../protocol.ts';
import { isTyped, noteTyped } from './chatDrafts.ts';

export interface OwnInput {
  before(field: HTMLTextAreaElement): void;
  /** To be called before the draft is changed. */
  took(inputType: string, text: string): void;
}

export function useOwnInput(session: SessionRef, draft: Draft): OwnInput {
  const replacesAll = useRef(false);
  /** Text from elsewhere has been in the field. What is undone may bring it back. */
  const hadOther = useRef(false);
  useLayoutEffect(() => {
    if (!isTyped(session, draft)) hadOther.current = true;
  });
  return {
    before({ selectionStart, selectionEnd, value }) {
      replacesAll.current = selectionStart === 0 && selectionEnd === value.length;
    },
    took(inputType, text) {
      const isOther = inputType === 'insertFromDrop' || (inputType.startsWith('history') && hadOther.current);
      if (!isOther && (replacesAll.current || isTyped(session, draft))) noteTyped(session, text);
      replacesAll.current = false;
    },
  };
}
