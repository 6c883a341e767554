/** The field in which a message of the queue is edited, in its place. */
import { useLayoutEffect, useRef } from 'preact/hooks';

interface QueueEditorProps {
  text: string;
  onInput(text: string): void;
  onSave(): void;
  onCancel(): void;
}

export function QueueEditor({ text, onInput, onSave, onCancel }: QueueEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '';
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  return (
    <form
      class="queue-editor"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        // The keys that move the message, and Escape of the composer, are not meant.
        event.stopPropagation();
        if (event.isComposing) return;
        if (event.key === 'Escape') onCancel();
        const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
        if (event.key !== 'Enter' || hasModifier || event.target !== field.current) return;
        event.preventDefault();
        if (!isEmpty) onSave();
      }}
    >
      <textarea
        ref={field}
        class="input"
        rows={Math.min(6, text.split('\n', 6).length)}
        aria-label="Waiting message"
        value={text}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <div class="queue-editor-buttons">
        <button type="button" class="link-button" disabled={isEmpty} title="Save (Enter)" onClick={onSave}>
          Save
        </button>
        <button type="button" class="link-button" title="Cancel (Escape)" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
