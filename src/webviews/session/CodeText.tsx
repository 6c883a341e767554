/** Text in code's font, whole; it scrolls when it is long. */
import { post } from './vscodeApi.ts';
import { VisibleText } from './VisibleText.tsx';

interface CodeTextProps {
  text: string;
  label: string;
  /** The user decides by it: nothing in it may be out of sight. */
  judged?: boolean;
}

export function CodeText({ text, label, judged = false }: CodeTextProps) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{label}</span>
        <button type="button" class="icon-button" aria-label={`Copy ${label}`} title="Copy" onClick={() => post({ type: 'copy', text })}>
          <span class="codicon codicon-copy" aria-hidden="true" />
        </button>
      </div>
      <pre tabIndex={0} aria-label={label} role="group">
        <code>{judged ? <VisibleText text={text} /> : text}</code>
      </pre>
    </div>
  );
}
