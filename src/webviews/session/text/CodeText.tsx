/** Text in a monospaced font, which scrolls when it is long. In a waiting card it is cut instead, until the user asks for all of it. */
import type { ComponentChildren } from 'preact';
import { excerpt } from '../../../views/text/excerpt.ts';
import { useIsJudged } from '../answering/judged.ts';
import { ShowAll, useShowAll } from './ShowAll.tsx';
import { VisibleText } from './VisibleText.tsx';
import { post } from '../page/vscodeApi.ts';

interface CodeTextProps {
  text: string;
  label: string;
  /** Names invisible characters. In a waiting card they are always named. */
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
