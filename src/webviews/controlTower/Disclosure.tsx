import * as l10n from '../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import { VisibleText } from '../session/text/VisibleText.tsx';

interface DisclosureProps {
  label: string;
  isOpen: boolean;
  onToggle(): void;
}

/** Opens a part below the row of buttons that it is in. */
export function DisclosureButton({ label, isOpen, onToggle }: DisclosureProps) {
  return (
    <button type="button" class="emitter-button" aria-expanded={isOpen} onClick={onToggle}>
      {label}
    </button>
  );
}

interface AskedProps {
  label: string;
  problem: string | undefined;
  isKnown: boolean;
  children: ComponentChildren;
}

/** A part whose content the gateway is asked for. */
export function AskedPart({ label, problem, isKnown, children }: AskedProps) {
  return (
    <section class="tower-part" aria-label={label}>
      <div role="alert">
        {problem !== undefined && (
          <p class="emitter-problem">
            <VisibleText text={problem} prose />
          </p>
        )}
      </div>
      {!isKnown && problem === undefined && <p class="emitter-hint">{l10n.t('Asking the gateway…')}</p>}
      {children}
    </section>
  );
}
