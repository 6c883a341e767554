/** The view “Changes”, and the change at the cursor. */
import type { Commands } from '../commandTable.ts';
import type { WindowServices } from '../windowServices.ts';
import { ChangeAtCursor } from './changeAtCursor.ts';
import { ChangesView } from './changesView.ts';
import { ShownChanges } from './shownChanges.ts';

export function registerChanges({ hosts, keys, own, views }: WindowServices) {
  const changes = own(new ShownChanges(views, hosts));
  const view = own(new ChangesView(changes, (key, value) => keys.set(key, value)));
  const atCursor = own(new ChangeAtCursor(changes));
  keys.follow(atCursor.onDidChange, () => ({ 'tapline.changeAtCursorOffered': atCursor.isOffered }));
  const commands = {
    openChange: (argument) => view.openChange(argument),
    runChangeOperation: (argument) => view.runOperation(argument),
    discardChanges: (argument) => view.runOwnOperation('discard', argument),
    keepChanges: (argument) => view.runOwnOperation('keep', argument),
    discardChangeAtCursor: () => atCursor.discard(),
  } satisfies Partial<Commands>;
  return { commands };
}
