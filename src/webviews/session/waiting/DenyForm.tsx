/** Asks why a call is denied and, where that can be said, what to do instead. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isPlainEnter } from '../answering/accidentalInput.ts';
import { CardButtons } from './CardButtons.tsx';

/** Characters, for every interface by which it may be sent. */
const MAX_REASON = 10_000;

interface DenyFormProps {
  /** What was said before, and refused. */
  said?: { reason: string; suggestion: string };
  withoutSuggestion?: boolean;
  onDeny(reason: string, suggestion: string): void;
  onCancel(): void;
}

export function DenyForm({ said, withoutSuggestion = false, onDeny, onCancel }: DenyFormProps) {
  const first = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState(said?.reason ?? '');
  const [suggestion, setSuggestion] = useState(said?.suggestion ?? '');
  const form = useRef<HTMLFormElement>(null);
  const cancel = () => {
    form.current?.closest<HTMLElement>('.waiting-card')?.focus({ preventScroll: true });
    onCancel();
  };
  // A refusal may come while the user types elsewhere.
  useEffect(() => void (said ?? first.current?.focus()), []);
  return (
    <form
      ref={form}
      class="deny-form"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          cancel();
        } else if (isPlainEnter(event)) {
          event.preventDefault();
          onDeny(reason, suggestion);
        }
      }}
    >
      <label class="field">
        <span>{l10n.t('Reason')}</span>
        <input ref={first} class="input" maxLength={MAX_REASON} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      {!withoutSuggestion && (
        <label class="field">
          <span>{l10n.t('What to do instead (optional)')}</span>
          <textarea class="input" rows={2} value={suggestion} onInput={(event) => setSuggestion(event.currentTarget.value)} />
        </label>
      )}
      <CardButtons>
        <vscode-button onClick={() => onDeny(reason, suggestion)}>{l10n.t('Deny')}</vscode-button>
        <vscode-button secondary onClick={cancel}>
          {l10n.t('Back')}
        </vscode-button>
      </CardButtons>
    </form>
  );
}
