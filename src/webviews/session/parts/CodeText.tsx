/** Text in code's font, whole: it scrolls when it is long. In a waiting card it does not; there it is cut until all of it is asked for. */
import type { ComponentChildren } from 'preact';
import { excerpt } from '../../../views/session/excerpt.ts';
import { useIsJudged } from '../page/judged.ts';
import { ShowAll, useShowAll } from './ShowAll.tsx';
import { VisibleText } from './VisibleText.tsx';
import { post } from '../page/vscodeApi.ts';

interface CodeTextProps {
  text: string;
  label: string;
  /** Names what cannot be seen in it; in a waiting card that is always so. */
  visible?: boolean;
}

export function CodeText(props: CodeTextProps) {
  return useIsJudged() ? <JudgedText {...props} /> : <ScrollingText {...props} />;
}

function ScrollingText({ text, label, visible = false }: CodeTextProps) {
  return (
    <CodeBlock text={text} label={label}>
      <pre tabIndex={0} aria-label={label} role="group">
        <code>{visible ? <VisibleText text={text} /> : text}</code>
      </pre>
    </CodeBlock>
  );
}

function JudgedText({ text, label }: CodeTextProps) {
  const { isAll, showAll, part } = useShowAll<HTMLPreElement>();
  const lines = text.split('\n');
  const shown = isAll ? lines : excerpt(lines);
  return (
    <CodeBlock text={text} label={label}>
      <pre key={String(isAll)} ref={part} tabIndex={0} aria-label={label} role="group" data-judged>
        <code>
          <VisibleText text={shown === lines ? text : shown.join('\n')} />
        </code>
      </pre>
      {shown !== lines && <ShowAll lines={lines} what={label} onClick={showAll} />}
    </CodeBlock>
  );
}

function CodeBlock({ text, label, children }: { text: string; label: string; children: ComponentChildren }) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{label}</span>
        <button type="button" class="icon-button" aria-label={`Copy ${label}`} title="Copy" onClick={() => post({ type: 'copy', text })}>
          <span class="codicon codicon-copy" aria-hidden="true" />
        </button>
      </div>
      {children}
    </div>
  );
}
