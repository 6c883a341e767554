/** The Markdown of a session, whose links the extension opens. */
import { memo } from 'preact/compat';
import type { SessionPort } from '../page/sessionPort.ts';
import { useSession } from '../page/sessionContext.tsx';
import { post as postToPage } from '../page/pageShell.ts';
import { MarkdownView } from './MarkdownView.tsx';

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const { workingDirectory, post } = useSession();
  return (
    <MarkdownView
      text={text}
      folder={workingDirectory}
      onLink={(href) => openLink(post, href)}
      onCopy={(code) => postToPage({ type: 'copy', text: code })}
      onUse={(how, named) => post(how === 'apply' ? { type: 'applyCode', ...named } : { type: 'useCode', how, code: named.code })}
    />
  );
});

export function openLink(post: SessionPort['post'], href: string): void {
  if (/^file:/i.test(href)) post({ type: 'openFile', uri: href });
  else postToPage({ type: 'openExternal', url: href });
}
