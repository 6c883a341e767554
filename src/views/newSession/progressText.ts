/** How far a host is with a request, as it says itself. */
import type { ProgressNotification } from '../../ahp/dialects/dialect.ts';
import { oneLine } from '../text/oneLine.ts';

const MAX_MESSAGE = 100;

/** On one line. Empty where the host says nothing that can be shown. */
export function progressText({ progress, total = 0, message }: Omit<ProgressNotification, 'type' | 'progressToken'>): string {
  const isShare = total > 0 && progress >= 0 && progress <= total;
  return [oneLine(message, MAX_MESSAGE), isShare ? `${Math.floor((progress / total) * 100)} %` : '']
    .filter((part) => part !== '')
    .join(', ');
}
