/** What became of an action as a program reads it, in English only. */
import type { Settlement } from '../../src/ahp/client/resources/subscription.ts';

export function inEnglish(settlement: Settlement | undefined): object | undefined {
  return settlement && { kind: settlement.kind, ...(settlement.kind !== 'confirmed' && { reason: settlement.reason }) };
}
