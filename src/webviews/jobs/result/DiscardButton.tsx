/** Takes changes back, once the user has confirmed it. */
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

export function DiscardButton({ deed = 'Discard', subject, question, isDeletion = false, onDiscard }: DiscardButtonProps) {
  const yes = isDeletion ? 'Delete the file' : 'Discard';
  return <Confirmed {...{ deed, subject, question, yes }} no="Leave as it is" onYes={onDiscard} />;
}
