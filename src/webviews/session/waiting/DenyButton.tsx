/** What denies a call as one button: the first choice, and behind a second part the others and a reason. */
import { useId, useRef, useState } from 'preact/hooks';
import type { ConfirmationChoice } from '../../../views/session/waiting/waiting.ts';
import { VisibleText } from '../text/VisibleText.tsx';

interface DenyButtonProps {
  /** At least one. */
  choices: readonly ConfirmationChoice[];
  onChoice(choice: ConfirmationChoice): void;
  /** Opens the form for the reason of the first choice. Absent where a denial has none. */
  onReason?: (() => void) | undefined;
}

export function DenyButton({ choices, onChoice, onReason }: DenyButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const more = useRef<HTMLElement>(null);
  const id = useId();
  const [first, ...others] = choices;
  const buttonOf = (choice: ConfirmationChoice) => (
    <vscode-button key={choice.optionId ?? choice.label} secondary={!choice.primary} onClick={() => onChoice(choice)}>
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
          ref={more}
          secondary={!first.primary}
          icon={isOpen ? 'chevron-up' : 'chevron-down'}
          icon-only
          aria-label="More ways to deny"
          title="More ways to deny"
          aria-expanded={isOpen}
          aria-controls={id}
          data-opens
          onClick={() => setOpen(!isOpen)}
        />
      </vscode-button-group>
      {isOpen && (
        <span
          id={id}
          class="button-group deny-choices"
          role="group"
          aria-label="More ways to deny"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setOpen(false);
            more.current?.focus();
          }}
        >
          {others.map(buttonOf)}
          {onReason && (
            <vscode-button secondary data-opens onClick={onReason}>
              <VisibleText text={`${first.label} with a reason…`} prose />
            </vscode-button>
          )}
        </span>
      )}
    </>
  );
}
