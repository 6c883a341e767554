/** A message that the user has sent before its chat was there. It goes as soon as the chat is, and only as it was then. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { Draft } from '../protocol.ts';
import { isEmpty } from '../drafts/drafts.ts';

/** After that a message which is sent by itself would be a surprise. */
const HOLD_MS = 30_000;

type Submit = (how: 'send' | 'steer', model?: ModelSelection) => void;

interface HeldMessageProps {
  /** The chat is there. */
  isThere: boolean;
  /** It will not come, for a reason that is shown. */
  isOver: boolean;
  latest: { readonly current: Draft };
  submit: Submit;
  /** Undefined: nothing more has to be said. */
  say(problem: string | undefined): void;
}

/** Holds what is in the composer. */
export function useHeldMessage({ isThere, isOver, latest, submit, say }: HeldMessageProps): Submit {
  const [held, setHeld] = useState<{ words: string; submit: () => void }>();
  const release = (problem?: string) => {
    setHeld(undefined);
    say(problem);
  };
  useEffect(() => {
    if (!held) return;
    const isChanged = held.words !== wordsIn(latest.current);
    if (isChanged && !isEmpty(latest.current)) return release('Not sent yet, because the message has changed. Press Enter to send it.');
    if (isChanged || isOver) return release();
    if (!isThere) return;
    release();
    held.submit();
  });
  useLayoutEffect(() => {
    if (!held) return undefined;
    const timer = setTimeout(() => release('Not sent: the session is still loading. Press Enter to try again.'), HOLD_MS);
    return () => clearTimeout(timer);
  }, [held]);
  return (how, model) => {
    if (isEmpty(latest.current)) return;
    setHeld({ words: wordsIn(latest.current), submit: () => submit(how, model) });
    say('The message is sent as soon as the session is loaded, unless you change it.');
  };
}

function wordsIn({ text, attachments }: Draft): string {
  return JSON.stringify([text.trim(), attachments]);
}
