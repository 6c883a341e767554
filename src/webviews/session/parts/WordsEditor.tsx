/** The field in which a message is edited, in its place: one of the queue, or one that was sent. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface WordsEditorProps {
  /** For screen readers. */
  label: string;
  text: string;
  /** What Enter does. */
  save: string;
  canSave: boolean;
  /** What is typed now would be lost. */
  isReadOnly?: boolean;
  onInput(text: string): void;
  onSave(): void;
  onCancel(): void;
}

export function WordsEditor({ label, text, save, canSave, isReadOnly = false, onInput, onSave, onCancel }: WordsEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  return (
    <form
      class="words-editor"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        // The keys that move a waiting message, and Escape of the composer, are not meant. VS Code gets all others.
        if (isOfEditor(event)) event.stopPropagation();
        if (event.isComposing) return;
        if (event.key === 'Escape') onCancel();
        const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
        if (event.key !== 'Enter' || hasModifier || event.target !== field.current) return;
        event.preventDefault();
        // A key that is held down began elsewhere, or has saved already.
        if (canSave && !event.repeat) onSave();
      }}
    >
      <textarea
        ref={field}
        class="input"
        rows={Math.min(6, text.split('\n', 6).length)}
        aria-label={label}
        readOnly={isReadOnly}
        value={text}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <div class="words-editor-buttons">
        <button type="button" class="link-button" disabled={!canSave} title={l10n.t`${save} (Enter)`} onClick={onSave}>
          {save}
        </button>
        <button type="button" class="link-button" title={l10n.t('Cancel (Escape)')} onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </form>
  );
}

function isOfEditor({ key, altKey }: KeyboardEvent): boolean {
  return key === 'Escape' || key === 'Enter' || (altKey && (key === 'ArrowUp' || key === 'ArrowDown'));
}
