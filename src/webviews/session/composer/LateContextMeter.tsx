/** The figure of how full the context is, loaded after the first picture of the page. */
import * as l10n from '../../../base/l10n.ts';
import type { ComponentProps } from 'preact';
import { latePart, useLatePart } from '../../late/latePart.ts';
import { LateNote } from '../../late/LateNote.tsx';

export const contextMeter = latePart(
  l10n.t('The figure of the context'),
  () => import('./ContextMeter.tsx'),
  (module) => module.ContextMeter,
);

export function LateContextMeter(props: ComponentProps<typeof import('./ContextMeter.tsx').ContextMeter>) {
  const ContextMeter = useLatePart(contextMeter);
  return ContextMeter ? <ContextMeter {...props} /> : <LateNote part={contextMeter} />;
}
