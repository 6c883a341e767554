/** How full the model's context is: a figure in the composer's bar, which opens to what fills it. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ContextMeter as Meter } from '../../../views/session/composer/contextMeter.ts';
import { filled } from '../../text/filled.ts';

interface ContextMeterProps {
  meter: Meter;
  /** Absent where nothing can be sent now. */
  onCompact?(): void;
}

export function ContextMeter({ meter: { percent, size, parts, compact }, onCompact }: ContextMeterProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const around = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = ({ target }: Event) => {
      if (target instanceof Node && !around.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, [isOpen]);
  return (
    <span
      ref={around}
      class="context-meter"
      onKeyDown={(event) => {
        if (!isOpen || event.key !== 'Escape') return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        class="context-figure"
        data-level={percent >= 90 ? 'full' : percent >= 75 ? 'high' : 'low'}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={l10n.t`${percent}% of the context is used`}
        title={l10n.t`Context: ${size}`}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="context-ring" style={{ '--used': `${percent}%` }} aria-hidden="true" />
        {l10n.countText(percent / 100, { style: 'percent' })}
      </button>
      <div id={id} class="context-panel" role="group" aria-label={l10n.t('Context')} hidden={!isOpen}>
        <p>
          <strong>{l10n.t`Context: ${size}`}</strong>
        </p>
        {parts.length > 0 && (
          <dl>
            {parts.map(({ label, tokens }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{tokens}</dd>
              </div>
            ))}
          </dl>
        )}
        {compact !== undefined && (
          <>
            <p class="hint">
              {filled(
                l10n.t(
                  'When it is nearly full, the agent goes on with a summary of the conversation. To have that now, send {0}, with what must be kept behind it.',
                ),
                <code>{compact}</code>,
              )}
            </p>
            {onCompact && (
              <vscode-button
                secondary
                onClick={() => {
                  setOpen(false);
                  onCompact();
                }}
              >
                {l10n.t('Compact now')}
              </vscode-button>
            )}
          </>
        )}
      </div>
    </span>
  );
}
