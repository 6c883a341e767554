/** Files that are pasted, dropped or picked in a browser, and the part of the page that takes them, loaded with the first of them. */
import * as l10n from '../../../../base/l10n.ts';
import { latePart } from '../../../late/latePart.ts';

export const takenFiles = latePart(
  l10n.t('What attaches files'),
  () => import('./takenFiles.ts'),
  (module) => module.takeFiles,
);

/** Empty where there is also text, which is what is meant then: a spreadsheet copies its cells as an image, too. */
export function filesOf(data: DataTransfer | null): File[] {
  if (!data || data.types.includes('text/plain')) return [];
  return [...data.files];
}

/** Lets the user pick files of their own computer. Empty when the picker was left. */
export function pickFiles(): Promise<File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
