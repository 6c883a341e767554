/** Text in code's font, whole, that scrolls when it is long. */
import { post } from './vscodeApi.ts';

export function CodeText({ text, label }: { text: string; label: string }) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{label}</span>
        <button type="button" class="icon-button" aria-label={`Copy ${label}`} title="Copy" onClick={() => post({ type: 'copy', text })}>
          <span class="codicon codicon-copy" aria-hidden="true" />
        </button>
      </div>
      <pre tabIndex={0} aria-label={label} role="group">
        <code>{text}</code>
      </pre>
    </div>
  );
}
