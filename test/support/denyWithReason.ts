/** Denies what a card asks, with a reason, by the keyboard. */
import type { Locator } from 'playwright-core';

export async function denyWithReason(card: Locator, reason: string): Promise<void> {
  await card.getByRole('button', { name: 'More ways to deny' }).press('Enter');
  await card.getByRole('button', { name: /with a reason…$/ }).press('Enter');
  await card.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await card.getByRole('textbox', { name: 'Reason' }).press('Enter');
}
