/** The Markdown of a session, whose links the extension opens. Until what draws it is loaded, its source is shown. */
import * as l10n from '../../../base/l10n.ts';
import { memo } from 'preact/compat';
import { latePart, useLatePart } from '../../late/latePart.ts';
import type { SessionPort } from '../page/sessionPort.ts';
import { useSession } from '../page/sessionContext.tsx';
import { isLink, post as postToPage } from '../page/pageShell.ts';

/** In characters, from the end of a text. */
const MAX_SOURCE = 30_000;

export const markdownView = latePart(
  l10n.t('The formatting of texts'),
  () => import('./MarkdownView.tsx'),
  (module) => module.MarkdownView,
);

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const { workingDirectory, post } = useSession();
  const MarkdownView = useLatePart(markdownView);
  if (!MarkdownView)
    return (
      <div class="markdown markdown-source" aria-busy>
        {text.length > MAX_SOURCE ? `… ${text.slice(-MAX_SOURCE)}` : text}
      </div>
    );
  return (
    <MarkdownView
      text={text}
      folder={workingDirectory}
      isLink={isLink}
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
