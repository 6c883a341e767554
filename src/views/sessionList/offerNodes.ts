/** Rows of the Sessions tree that offer a host which was found on this computer. */
import * as l10n from '../../base/l10n.ts';
import type { MessageNode } from './sessionTree.ts';

export interface OfferNode {
  kind: 'offer';
  id: string;
  label: string;
  /** Beside the label, short enough for a narrow sidebar. */
  description: string;
  /** The full question. */
  details: string;
  children: MessageNode[];
}

/** `label`: what VS Code it is. Each is a question with its answers below it. */
export function offerNodes(offers: readonly { id: string; label: string }[]): OfferNode[] {
  return offers.map(({ id, label }) => ({
    kind: 'offer',
    id: `${id}\noffer`,
    label,
    description: l10n.t('agent host found. Connect?'),
    details: l10n.t`The agent host of ${label} is running here. Connect?`,
    children: [
      { kind: 'message', id: `${id}\noffer\nconnect`, hostId: id, label: l10n.t('Connect'), severity: 'info', action: 'connectVsCodeHost' },
      { kind: 'message', id: `${id}\noffer\nnotNow`, hostId: id, label: l10n.t('Not now'), severity: 'info', action: 'declineVsCodeHost' },
    ],
  }));
}
