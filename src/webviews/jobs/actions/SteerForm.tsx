/** A message for the agent of a step, in the turn that runs. Takes the focus. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sendsOnEnter } from '../sendsOnEnter.ts';

interface SteerFormProps {
  /** Of the step. */
  name: string;
  onSend(text: string): void;
  onCancel(): void;
}

export function SteerForm({ name, onSend, onCancel }: SteerFormProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      class="step-form"
      aria-label={l10n.t`Steer ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onSend(text);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel();
      }}
    >
      <label>
        {l10n.t('What its agent is to know now')}
        <textarea
          ref={field}
          rows={2}
          required
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => sendsOnEnter(event, () => event.currentTarget.form?.requestSubmit())}
        />
        <span class="hint">{l10n.t('Enter sends it, Shift+Enter breaks the line.')}</span>
      </label>
      <p class="row">
        <button type="submit" class="main-button">
          {l10n.t('Steer')}
        </button>
        <button type="button" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      </p>
    </form>
  );
}
