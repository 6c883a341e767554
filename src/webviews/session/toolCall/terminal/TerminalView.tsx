/**
 * A terminal of the host, live and read-only. It exists only while it is near the visible part of the page. The user types into a terminal of
 * VS Code, which has all keys.
 */
import * as l10n from '../../../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { URI } from '../../../../ahp/common/shapes.ts';
import { terminalText } from '../../../../views/session/toolCall/terminalText.ts';
import { LateNote } from '../../../late/LateNote.tsx';
import { latePart, useLatePart } from '../../../late/latePart.ts';
import { resourceModel } from '../../page/resourceViews.ts';
import { TerminalInput } from './TerminalInput.tsx';
import { useSession, useWatched } from '../../page/sessionContext.tsx';

const FOLDED_ROWS = 12;
const OPEN_ROWS = 30;

const screen = latePart(
  l10n.t('The terminal'),
  () => import('./TerminalScreen.tsx'),
  (module) => module.TerminalScreen,
);

export function TerminalView({ resource, title }: { resource: URI; title: string }) {
  const { post, readOnly, store } = useSession();
  const frame = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [open, setOpen] = useState(false);
  const [lines, setLines] = useState(1);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const look = ([entry]: IntersectionObserverEntry[]) => {
      if (!entry) return;
      // Keep the height, so that nothing moves.
      element.style.minHeight = entry.isIntersecting ? '' : `${entry.boundingClientRect.height}px`;
      setNear(entry.isIntersecting);
    };
    const observer = new IntersectionObserver(look, {
      root: element.closest('.transcript'),
      rootMargin: '600px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const view = useWatched(near ? resource : undefined, 'terminal');
  const state = resourceModel('terminal', view);
  const typesHere = store.state.lacks?.includes('terminals') === true;
  const runs = state !== undefined && state.lifecycle.status !== 'exited' && !readOnly;
  const Screen = useLatePart(screen, near);
  return (
    <div ref={frame} class="terminal-part" role="group" aria-label={l10n.t`Terminal ${title}`}>
      {near && state && !Screen && <LateNote part={screen} loading={l10n.t('Opening the terminal…')} />}
      {near && state && Screen && <Screen output={terminalText(state)} maxRows={open ? OPEN_ROWS : FOLDED_ROWS} onLines={setLines} />}
      {near && !state && (
        <p class="hint">
          {view?.status.kind === 'failed' ? l10n.t`The terminal cannot be shown: ${view.status.message}` : l10n.t('Opening the terminal…')}
        </p>
      )}
      {state && (
        <span class="terminal-actions">
          {lines > FOLDED_ROWS && (
            <button type="button" class="link-button" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open
                ? l10n.t('Show less')
                : l10n.plural(lines, l10n.t`Show more (${l10n.countText(lines)} line)`, l10n.t`Show more (${l10n.countText(lines)} lines)`)}
            </button>
          )}
          {runs && !typesHere && (
            <button type="button" class="link-button" onClick={() => post({ type: 'openTerminal', uri: resource })}>
              {l10n.t('Type into it')}
            </button>
          )}
        </span>
      )}
      {runs && typesHere && <TerminalInput {...{ resource, title }} />}
    </div>
  );
}
