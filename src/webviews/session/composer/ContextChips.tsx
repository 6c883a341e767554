/** What goes along of context providers, as chips: each can be read as the model gets it, and removed. */
import * as l10n from '../../../base/l10n.ts';
import { useId, useState } from 'preact/hooks';
import { type ContextItem, sourceOf, tokensOf } from '../../../views/session/composer/contextItems.ts';
import { CodeText } from '../text/CodeText.tsx';
import { Icon } from '../parts/Icon.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import { filled } from '../../text/filled.ts';

interface ContextChipsProps {
  items: readonly ContextItem[];
  onRemove(index: number): void;
}

export function ContextChips({ items, onRemove }: ContextChipsProps) {
  const id = useId();
  const [shown, setShown] = useState<ContextItem>();
  const open = shown !== undefined && items.includes(shown) ? shown : undefined;
  return (
    <>
      <ul class="chips" aria-label={l10n.t('Context for the model')}>
        {items.map((item, index) => (
          <li key={index} class="chip">
            <button
              type="button"
              class="chip-name"
              title={l10n.t('Show what the model gets')}
              aria-expanded={open === item}
              aria-controls={id}
              onClick={() => setShown(open === item ? undefined : item)}
            >
              <Icon name="info" />
              <span>
                <VisibleText text={item.title} prose />{' '}
                <span class="chip-source">
                  {filled(
                    l10n.t({ message: 'from {0}', comment: 'a context provider' }),
                    <VisibleText text={sourceOf(item.provider)} prose />,
                  )}
                </span>
              </span>
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label={l10n.t`Remove ${item.title}`}
              title={l10n.t('Remove')}
              onClick={() => onRemove(index)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {open && (
        <div id={id} class="context-preview">
          <p class="hint">
            {filled(
              l10n.t('The model gets this text from {0}, about {1} tokens.'),
              <VisibleText text={open.provider} prose />,
              l10n.countText(tokensOf(open.text)),
            )}
          </p>
          <CodeText text={open.text} label={open.title} visible />
        </div>
      )}
    </>
  );
}
