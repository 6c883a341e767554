/** A message that the user has sent before its chat or its files were there. It goes as soon as they are, and only as it was then. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { Draft } from '../protocol.ts';
import { isEmpty } from '../drafts/chatDrafts.ts';

/** After that a message which is sent by itself would be a surprise. */
const HOLD_MS = 30_000;
const CHANGED = l10n.t('Not sent yet, because the message has changed. Press Enter to send it.');

type Submit = (how: 'send' | 'steer', model?: ModelSelection) => void;

interface DelayedMessageProps {
  /** The chat is there. */
  isThere: boolean;
  /** It will not come, for a reason that is shown. */
  isOver: boolean;
  latest: { readonly current: Draft };
  submit: Submit;
  /** Undefined: nothing more has to be said. */
  say(problem: string | undefined): void;
}

interface MessageDraft {
  words: string;
  /** What it waits for, beside its chat. */
  readonly files?: Promise<string | undefined>;
  submit(): void;
}

export interface DelayedMessage {
  /** Until the chat is there. */
  untilThere: Submit;
  /** Until its files are attached. Where one is not, the user decides. */
  untilAttached(files: Promise<string | undefined>, ...how: Parameters<Submit>): void;
  /** It waits for its files. */
  readonly waitsForFiles: boolean;
  /** One of its files has come, which changes the draft. */
  attach(change: () => void): void;
  /** The user has given more than it was sent with. */
  changed(): void;
}

/** Holds what is in the composer. */
export function useDelayedMessage({ isThere, isOver, latest, submit, say }: DelayedMessageProps): DelayedMessage {
  const held = useRef<MessageDraft>(undefined);
  const [, redraw] = useState<object>();
  const set = (next: MessageDraft | undefined) => {
    held.current = next;
    redraw({});
  };
  const release = (problem?: string) => {
    set(undefined);
    say(problem);
  };
  const isChanged = ({ words }: MessageDraft) => words !== wordsIn(latest.current);
  /** True when it is not held any more. */
  const look = (one: MessageDraft) => {
    const changed = isChanged(one);
    if (!changed && !isOver) return false;
    release(changed && !isEmpty(latest.current) ? CHANGED : undefined);
    return true;
  };
  useEffect(() => {
    const one = held.current;
    if (!one || look(one) || one.files || !isThere) return;
    release();
    one.submit();
  });
  const { current } = held;
  useLayoutEffect(() => {
    if (!current || current.files) return undefined;
    const timer = setTimeout(() => release(l10n.t('Not sent: the session is still loading. Press Enter to try again.')), HOLD_MS);
    return () => clearTimeout(timer);
  }, [current]);
  useEffect(() => () => void (held.current = undefined), []);
  return {
    untilThere(how, model) {
      if (isEmpty(latest.current)) return;
      set({ words: wordsIn(latest.current), submit: () => submit(how, model) });
      say(l10n.t('The message is sent as soon as the session is loaded, unless you change it.'));
    },
    untilAttached(files, how, model) {
      const one: MessageDraft = { words: wordsIn(latest.current), files, submit: () => submit(how, model) };
      set(one);
      say(l10n.t('The message is sent as soon as its files are attached, unless you change it.'));
      void files.then((refused) => {
        if (held.current !== one || (refused === undefined && look(one))) return;
        set(undefined);
        if (refused === undefined) one.submit();
      });
    },
    waitsForFiles: current?.files !== undefined,
    attach(change) {
      const one = held.current;
      const isSame = one && !isChanged(one);
      change();
      if (isSame) one.words = wordsIn(latest.current);
    },
    changed: () => void (held.current?.files && release(CHANGED)),
  };
}

function wordsIn({ text, attachments }: Draft): string {
  return JSON.stringify([text.trim(), attachments]);
}
