/** A button for what cannot be undone: it asks in its place first. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useFocusBack } from '../../focus/useFocusBack.ts';

interface ConfirmedProps {
  /** What the button says, such as `Discard`. */
  deed: string;
  /** What it is about, for screen readers. */
  subject: string;
  question: string;
  yes: string;
  no: string;
  onYes(): void;
}

export function Confirmed({ deed, subject, question, yes, no, onYes }: ConfirmedProps) {
  const [isAsking, setAsking] = useState(false);
  const leave = useRef<HTMLButtonElement>(null);
  const ask = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // An Enter too many is no answer.
    if (isAsking) leave.current?.focus();
  }, [isAsking]);
  useFocusBack(isAsking, ask);
  if (!isAsking)
    return (
      <button ref={ask} type="button" aria-label={l10n.t`${deed}: ${subject}…`} onClick={() => setAsking(true)}>
        {deed}…
      </button>
    );
  return (
    <div class="result-question" role="group" aria-label={l10n.t`${deed}: ${subject}`}>
      <p>{question}</p>
      <p class="row">
        <button
          type="button"
          class="stop"
          onClick={() => {
            setAsking(false);
            onYes();
          }}
        >
          {yes}
        </button>
        <button type="button" ref={leave} onClick={() => setAsking(false)}>
          {no}
        </button>
      </p>
    </div>
  );
}
