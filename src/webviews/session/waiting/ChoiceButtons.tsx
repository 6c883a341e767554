/** The answers that the host offers for a call: those that approve in the host's groups, and one button for those that deny. */
import type { ConfirmationChoice } from '../../../views/session/waiting/waiting.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import type { Agreement } from './CardFrame.tsx';
import { DenyButton } from './DenyButton.tsx';

interface ChoiceButtonsProps {
  choices: readonly ConfirmationChoice[];
  agree: Agreement;
  onChoice(choice: ConfirmationChoice): void;
  /** Opens the form for the reason of the first choice that denies. Absent where a denial has none. */
  onDenyWithReason?: (() => void) | undefined;
}

export function ChoiceButtons({ choices, agree, onChoice, onDenyWithReason }: ChoiceButtonsProps) {
  return (
    <>
      {groupsOf(choices.filter(({ approve }) => approve)).map((group) => (
        <span key={group[0]?.label} class="button-group" role="group">
          {group.map((choice) => (
            <vscode-button
              key={choice.optionId ?? choice.label}
              secondary={!choice.primary}
              {...agree.button}
              onClick={() => agree.to(() => onChoice(choice))}
            >
              <VisibleText text={choice.label} prose />
            </vscode-button>
          ))}
        </span>
      ))}
      <DenyButton choices={choices.filter(({ approve }) => !approve)} onChoice={onChoice} onReason={onDenyWithReason} />
    </>
  );
}

function groupsOf(choices: readonly ConfirmationChoice[]): ConfirmationChoice[][] {
  const groups: ConfirmationChoice[][] = [];
  for (const choice of choices) {
    if (choice.startsGroup || groups.length === 0) groups.push([]);
    groups.at(-1)?.push(choice);
  }
  return groups;
}
