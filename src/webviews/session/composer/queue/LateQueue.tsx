/** The queue, loaded after the first picture of the page. */
import * as l10n from '../../../../base/l10n.ts';
import type { ComponentProps } from 'preact';
import { latePart, useLatePart } from '../../../late/latePart.ts';
import { LateNote } from '../../../late/LateNote.tsx';

export const queue = latePart(
  l10n.t('The list of messages that wait'),
  () => import('./Queue.tsx'),
  (module) => module.Queue,
);

export function LateQueue(props: ComponentProps<typeof import('./Queue.tsx').Queue>) {
  const Queue = useLatePart(queue);
  if (Queue) return <Queue {...props} />;
  const { steeringMessage, queuedMessages } = props.open.chat;
  return steeringMessage || queuedMessages?.length ? <LateNote part={queue} /> : null;
}
