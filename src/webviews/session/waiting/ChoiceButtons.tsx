/** The answers that the host offers for a call, in its groups. */
import { visibleText } from '../../../views/text/visibleText.ts';
import type { ConfirmationChoice } from '../../../views/session/waiting/waiting.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import type { Agreement } from './CardFrame.tsx';

interface ChoiceButtonsProps {
  choices: readonly ConfirmationChoice[];
  agree: Agreement;
  onChoice(choice: ConfirmationChoice): void;
  /** Opens the form for the reason of the first choice that denies. Absent where a denial has none. */
  onDenyWithReason?: (() => void) | undefined;
}

export function ChoiceButtons({ choices, agree, onChoice, onDenyWithReason }: ChoiceButtonsProps) {
  const firstDeny = choices.find((choice) => !choice.approve);
  return groupsOf(choices).map((group) => (
    <span key={group[0]?.label} class="button-group" role="group">
      {group.map((choice) => {
        const button = (
          <vscode-button
            key={choice.optionId ?? choice.label}
            secondary={!choice.primary}
            {...(choice.approve ? agree.button : {})}
            onClick={() => (choice.approve ? agree.to(() => onChoice(choice)) : onChoice(choice))}
          >
            <VisibleText text={choice.label} prose />
          </vscode-button>
        );
        if (choice !== firstDeny || !onDenyWithReason) return button;
        return (
          <span key={choice.optionId ?? choice.label} class="split">
            {button}
            {/* The label of the link does not say what the reason is for. */}
            <button type="button" class="link-button" aria-label={`${allVisible(choice.label)} with a reason…`} onClick={onDenyWithReason}>
              with a reason…
            </button>
          </span>
        );
      })}
    </span>
  ));
}

function allVisible(text: string): string {
  return visibleText(text)
    .map((segment) => segment.text)
    .join('');
}

function groupsOf(choices: readonly ConfirmationChoice[]): ConfirmationChoice[][] {
  const groups: ConfirmationChoice[][] = [];
  for (const choice of choices) {
    if (choice.startsGroup || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(choice);
  }
  return groups;
}
