/** The answers that the host offers for a call: one button for those that approve, and one for those that deny. */
import * as l10n from '../../../base/l10n.ts';
import type { ConfirmationChoice } from '../../../views/session/waiting/waiting.ts';
import type { Agreement } from './CardFrame.tsx';
import { SplitButton } from './SplitButton.tsx';

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
      <SplitButton
        choices={choices.filter(({ approve }) => approve)}
        more={l10n.t('More ways to approve')}
        button={agree.button}
        onChoice={(choice) => agree.to(() => onChoice(choice))}
      />
      <SplitButton
        choices={choices.filter(({ approve }) => !approve)}
        more={l10n.t('More ways to deny')}
        onChoice={onChoice}
        onReason={onDenyWithReason}
      />
    </>
  );
}
