/** Takes changes back, once the user has confirmed it. */
import * as l10n from '../../../base/l10n.ts';
import { Confirmed } from './Confirmed.tsx';

interface DiscardButtonProps {
  /** What the button says. Absent: `Discard`. */
  deed?: string;
  /** What is discarded, in words. */
  subject: string;
  /** What the agent host asks. */
  question: string;
  /** It means that the file is deleted. */
  isDeletion?: boolean;
  onDiscard(): void;
}

export function DiscardButton({ deed = l10n.t('Discard'), subject, question, isDeletion = false, onDiscard }: DiscardButtonProps) {
  const yes = isDeletion ? l10n.t('Delete the file') : l10n.t('Discard');
  return <Confirmed {...{ deed, subject, question, yes }} no={l10n.t('Leave as it is')} onYes={onDiscard} />;
}
