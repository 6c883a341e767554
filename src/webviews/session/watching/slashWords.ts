/** Whether a message is one of the commands with which something is watched, and the part of the page that knows them, loaded with the first slash. */
import * as l10n from '../../../base/l10n.ts';
import { latePart } from '../../late/latePart.ts';

export const slashWords = latePart(
  l10n.t('The commands with a slash'),
  () => import('./slashCommands.tsx'),
  (module) => module.slashCommands,
);

export function isLoop(text: string): boolean {
  return /^\s*\/loop\b/.test(text);
}

export function isWatchCommand(text: string): boolean {
  return /^\s*\/(loop|tap-)/.test(text);
}
