/** A row of the header: how much is watched for the session, and the panel that it opens. */
import * as l10n from '../../../base/l10n.ts';
import { useMemo, useRef, useState } from 'preact/hooks';
import { watchedText } from '../../../views/emitters/watchedText.ts';
import { EmitterPanel } from './EmitterPanel.tsx';
import { Icon } from '../parts/Icon.tsx';
import type { SessionPort } from '../page/sessionPort.ts';
import { askEmitters } from './askEmitters.ts';

export function Watched({ count, post }: { count: { active: number; all: number }; post: SessionPort['post'] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const text = watchedText(count);
  const ask = useMemo(() => askEmitters(post), [post]);
  return (
    <section
      class="watched"
      aria-label={l10n.t('What is watched for this session')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <Icon name="eye" />{' '}
      <button ref={button} type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {text}
      </button>
      <span class="visually-hidden" role="status">
        {text}
      </span>
      {isOpen && (
        <div class="watched-panel">
          <EmitterPanel ask={ask} onWatch={() => post({ type: 'runCommand', command: 'watchSomething' })} />
        </div>
      )}
    </section>
  );
}
