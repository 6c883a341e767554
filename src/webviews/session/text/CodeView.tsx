/** Text in a monospaced font, in any page. It scrolls when it is long. In a waiting card it is cut instead, until the user asks for all of it. */
import * as l10n from '../../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import { excerpt } from '../../../views/text/excerpt.ts';
import { useIsJudged } from '../answering/judged.ts';
import { ColouredText } from './ColouredText.tsx';
import { ShowAll, useShowAll } from './ShowAll.tsx';

export interface CodeViewProps {
  text: string;
  label: string;
  /** Names invisible characters. In a waiting card they are always named. */
  visible?: boolean;
  /** By whose grammar it is coloured. Absent: it stays plain. */
  language?: string;
  /** The search of the conversation looks into it. */
  searched?: boolean;
  onCopy(text: string): void;
}

export function CodeView(props: CodeViewProps) {
  return useIsJudged() ? <JudgedText {...props} /> : <ScrollingText {...props} />;
}

function ScrollingText({ text, label, visible = false, language, searched, onCopy }: CodeViewProps) {
  return (
    <CodeBlock {...{ text, label, onCopy }}>
      <pre tabIndex={0} aria-label={label} role="group" data-searched={searched}>
        <code>
          <ColouredText {...{ text, visible, language }} />
        </code>
      </pre>
    </CodeBlock>
  );
}

function JudgedText({ text, label, language, onCopy }: CodeViewProps) {
  const { isAll, showAll, part } = useShowAll<HTMLPreElement>();
  const lines = text.split('\n');
  const shown = isAll ? lines : excerpt(lines);
  return (
    <CodeBlock {...{ text, label, onCopy }}>
      <pre key={String(isAll)} ref={part} tabIndex={0} aria-label={label} role="group" data-judged>
        <code>
          <ColouredText text={shown === lines ? text : shown.join('\n')} visible language={language} />
        </code>
      </pre>
      {shown !== lines && <ShowAll lines={lines} what={label} onClick={showAll} />}
    </CodeBlock>
  );
}

function CodeBlock({ text, label, onCopy, children }: Pick<CodeViewProps, 'text' | 'label' | 'onCopy'> & { children: ComponentChildren }) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span>{label}</span>
        <button type="button" class="icon-button" aria-label={l10n.t`Copy ${label}`} title={l10n.t('Copy')} onClick={() => onCopy(text)}>
          <span class="codicon codicon-copy" aria-hidden="true" />
        </button>
      </div>
      {children}
    </div>
  );
}
