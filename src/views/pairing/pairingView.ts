/** Pairing codes that wait to be entered, as a status bar item and as choices. */
import * as l10n from '../../base/l10n.ts';
import { encodedNameHint, shortWho, whoAsks } from './originWords.ts';

export interface PendingPairing {
  /** At the gateway. */
  readonly id: string;
  /** Six digits. */
  readonly code: string;
  /** Of the page that asks; absent for a program. */
  readonly origin?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface PairingItemView {
  text: string;
  tooltip: string;
  /** For screen readers. Without the countdown, which would be read each second. */
  label: string;
}

/** Undefined while nothing is pending. */
export function pairingItem(pairings: readonly PendingPairing[], now: number): PairingItemView | undefined {
  const [first, ...more] = pairings;
  if (!first) return undefined;
  if (more.length > 0) {
    const lines = pairings.map(({ code, origin }) => `${code}: ${whoAsks(origin)}`);
    return {
      text: l10n.t`${l10n.countText(pairings.length)} pairing codes`,
      tooltip: [l10n.t('Pairing codes. Enter each on the page or in the program that is named beside it.'), ...lines].join('\n'),
      label: l10n.t`${l10n.countText(pairings.length)} pairing codes. Activate to read, copy or deny them.`,
    };
  }
  const { code, origin, expiresAt } = first;
  const who = whoAsks(origin);
  return {
    text: `${code} · ${shortWho(origin)} · ${remainingText(expiresAt - now)}`,
    tooltip: [
      l10n.t`Pairing code ${code} for ${who}.`,
      l10n.t('Enter it there to let it lend tools to your sessions. Deny it if you did not ask for it.'),
      encodedNameHint(origin),
    ]
      .filter((line) => line !== undefined)
      .join('\n'),
    label: l10n.t`Pairing code ${spoken(code)} for ${who}. Activate to copy or deny it.`,
  };
}

export interface PairingChoice {
  id: string;
  do: 'copy' | 'deny';
  label: string;
  /** Who asks. */
  description: string;
  detail?: string;
}

export function pairingChoices(pairings: readonly PendingPairing[]): PairingChoice[] {
  return pairings.flatMap(({ id, code, origin }): PairingChoice[] => {
    const hint = encodedNameHint(origin);
    const description = l10n.t({ message: 'for {0}', comment: 'who gets it', args: [whoAsks(origin)] });
    return [
      {
        id,
        do: 'copy',
        label: l10n.t`Copy Code ${code}`,
        description,
        detail: hint ?? l10n.t('Then enter it there. Whoever has it can lend tools to your sessions.'),
      },
      { id, do: 'deny', label: l10n.t('Deny'), description, detail: l10n.t('Makes the code invalid and refuses the request.') },
    ];
  });
}

/** "1:05"; never less than none. */
export function remainingText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Digit by digit. */
export function spoken(code: string): string {
  return [...code].join(' ');
}
