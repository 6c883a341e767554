/** What of the sessions and the window waits for the user. */
import { systemClock } from '../../base/clock.ts';
import { Attention } from '../../views/attention/attention.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { WindowBase } from '../windowServices.ts';
import { type OpenReview, WindowAttention } from './windowAttention.ts';

export function registerAttention({ context, keys, logger, own }: WindowBase, hosts: HostRegistry) {
  const ofSessions = own(new Attention(hosts, systemClock));
  const attention = own(new WindowAttention(ofSessions, context.workspaceState, systemClock, logger));
  keys.follow(attention.onDidChange, () => ({ 'tapline.thingsNeedYou': attention.items.length > 0 }));
  return { attention, ofSessions, putOff: (review: OpenReview) => attention.putOff(review.id) };
}
