import { reasonText } from '../../ahp/client/resources/subscription.ts';
import * as l10n from '../../base/l10n.ts';
import type { TerminalState } from '../../ahp/channels/terminal.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { UserError, withTimeout } from '../../base/errors.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { ShownSession } from './shownSession.ts';

const SETTLE_MS = 30_000;

/** Types into a terminal that the page shows. It is not kept for later: by then the program may ask something else. Rejects with words for the user. */
export async function typeInto(shown: ShownSession, uri: URI, text: string): Promise<void> {
  const { client, label } = shown.host;
  if (shown.get(uri)?.kind !== 'terminal') throw new UserError(l10n.t('That terminal is not shown any more. Nothing was typed.'));
  const terminal = client.model('terminal', uri);
  try {
    const state = terminal.state as TerminalState | undefined;
    if (client.state.kind !== 'connected') throw new UserError(l10n.t`${oneLine(label)} is not connected. Nothing was typed.`);
    if (state?.lifecycle?.status === 'exited') throw new UserError(l10n.t('The command has ended. Nothing was typed.'));
    const { settled } = terminal.perform({ type: 'terminal/input', data: text });
    const settlement = await withTimeout(settled, SETTLE_MS, l10n.t('typing into the terminal'));
    if (settlement.kind !== 'confirmed') throw new UserError(l10n.t`What you typed may be lost: ${oneLine(reasonText(settlement))}`);
  } finally {
    terminal.dispose();
  }
}
