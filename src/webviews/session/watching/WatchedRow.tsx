/** The row of the header about what is watched, loaded once something is. */
import * as l10n from '../../../base/l10n.ts';
import { latePart, useLatePart } from '../../late/latePart.ts';
import { LateNote } from '../../late/LateNote.tsx';
import { useSession } from '../page/sessionContext.tsx';

export const watched = latePart(
  l10n.t('The row of what is watched'),
  () => import('./Watched.tsx'),
  (module) => module.Watched,
);

export function WatchedRow({ count }: { count: { active: number; all: number } }) {
  const { post } = useSession();
  const Watched = useLatePart(watched);
  return Watched ? <Watched {...{ count, post }} /> : <LateNote part={watched} />;
}
