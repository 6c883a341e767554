/** The frame of the cards of a session. */
import type { RunnerView } from '../../../views/session/toolCall/callProvider.ts';
import { useSession } from '../page/sessionContext.tsx';
import { RunnerLine } from '../toolCall/Runner.tsx';
import { CardFrame, type CardFrameProps } from './CardFrame.tsx';

interface WaitingCardProps extends Omit<CardFrameProps, 'top' | 'chat' | 'cards' | 'readOnly' | 'whereIds' | 'focusAfter'> {
  /** Who runs the call. It is said where that is not the host. */
  runner?: RunnerView;
}

export function WaitingCard({ runner, ...frame }: WaitingCardProps) {
  const { chat, cards, readOnly, whereIds } = useSession();
  return <CardFrame {...frame} {...{ chat, cards, readOnly, whereIds }} top={runner && !runner.isHost && <RunnerLine runner={runner} />} />;
}
