/** Choices of one kind as one button: the first of them, and behind a second part the others. */
import * as l10n from '../../../base/l10n.ts';
import { useId, useRef, useState } from 'preact/hooks';
import type { ConfirmationChoice } from '../../../views/session/waiting/waiting.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import type { Agreement } from './CardFrame.tsx';

interface SplitButtonProps {
  choices: readonly ConfirmationChoice[];
  /** Of the part that opens the others. */
  more: string;
  /** Attributes of each button that makes a choice. */
  button?: Agreement['button'];
  onChoice(choice: ConfirmationChoice): void;
  /** Opens the form for the reason of the first choice. Absent where it has none. */
  onReason?: (() => void) | undefined;
}

export function SplitButton({ choices, more, button, onChoice, onReason }: SplitButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLElement>(null);
  const id = useId();
  const [first, ...others] = choices;
  const buttonOf = (choice: ConfirmationChoice) => (
    <vscode-button key={choice.optionId ?? choice.label} secondary={!choice.primary} {...button} onClick={() => onChoice(choice)}>
      <VisibleText text={choice.label} prose />
    </vscode-button>
  );
  if (!first) return null;
  if (others.length === 0 && !onReason) return buttonOf(first);
  return (
    <>
      <vscode-button-group class="split">
        {buttonOf(first)}
        <vscode-button
          ref={opener}
          secondary={!first.primary}
          icon={isOpen ? 'chevron-up' : 'chevron-down'}
          icon-only
          aria-label={more}
          title={more}
          aria-expanded={isOpen}
          aria-controls={id}
          data-opens
          onClick={() => setOpen(!isOpen)}
        />
      </vscode-button-group>
      {isOpen && (
        <span
          id={id}
          class="button-group more-choices"
          role="group"
          aria-label={more}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setOpen(false);
            opener.current?.focus();
          }}
        >
          {others.map(buttonOf)}
          {onReason && (
            <vscode-button secondary data-opens onClick={onReason}>
              <VisibleText text={l10n.t`${first.label} with a reason…`} prose />
            </vscode-button>
          )}
        </span>
      )}
    </>
  );
}
