/** A picker that searches the sessions while the user types. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { messageOf } from '../../../base/errors.ts';
import { DisposableStore, toDisposable } from '../../../base/lifecycle.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { relativeTime } from '../../../views/text/time/relativeTime.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { Found, FoundSession, Reading, SessionSearch } from '../../sessions/search/sessionSearch.ts';

const TITLE = l10n.t('Search Sessions');
/** After the last key. */
const TYPING_MS = 150;
/** While sessions are read, the list is made again no more often than this. */
const READING_MS = 500;

/** A session, and what was said in it. */
export type Place = Pick<FoundSession, 'ref' | 'said'>;
type Item = vscode.QuickPickItem & Partial<Place>;

/** Undefined when the user has left it, which also ends the reading. */
export async function pickFound(search: SessionSearch, severalHosts: boolean): Promise<Place | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const store = new DisposableStore();
  store.add(picker);
  const left = new AbortController();
  store.add(toDisposable(() => left.abort()));
  let reading: Reading | undefined;
  let problem: string | undefined;
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const find = async () => {
    timer = undefined;
    const mine = ++asked;
    const found = await search.find(picker.value, left.signal);
    if (mine !== asked || left.signal.aborted) return;
    picker.keepScrollPosition = true;
    const active = picker.activeItems[0]?.ref;
    const items = itemsOf(found, severalHosts, notesOf(found, reading, problem, search.leavesOut));
    picker.items = items;
    const same = active && items.find(({ ref }) => ref?.uri === active.uri && ref.hostId === active.hostId);
    if (same) picker.activeItems = [same];
  };
  const show = () =>
    find().catch((error: unknown) => {
      if (!left.signal.aborted) picker.items = [noteItem(l10n.t`The search failed: ${withoutMarkup(oneLine(messageOf(error)))}`)];
    });
  const soon = (ms: number) => (timer ??= setTimeout(() => void show(), ms));
  store.add(toDisposable(() => clearTimeout(timer)));
  store.add(
    picker.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = undefined;
      soon(TYPING_MS);
    }),
  );
  picker.title = TITLE;
  picker.placeholder = l10n.t('Search titles and what was said');
  picker.busy = true;
  const chosen = new Promise<Place | undefined>((resolve) => {
    store.add(picker.onDidHide(() => resolve(undefined)));
    store.add(
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        if (item?.ref) resolve({ ref: item.ref, ...(item.said && { said: item.said }) });
      }),
    );
  });
  picker.show();
  void show();
  void search
    .read(left.signal, (now) => {
      reading = now;
      picker.title = now.done < now.of ? l10n.t`${TITLE}: Reading… ${now.done} of ${now.of}` : TITLE;
      if (picker.value !== '') soon(READING_MS);
    })
    .catch((error: unknown) => (problem = messageOf(error)))
    .finally(() => {
      if (left.signal.aborted) return;
      picker.busy = false;
      picker.title = TITLE;
      soon(0);
    });
  try {
    return await chosen;
  } finally {
    store.dispose();
  }
}

function itemsOf({ sessions }: Found, severalHosts: boolean, notes: readonly string[]): Item[] {
  const now = Date.now();
  const section = (label: string, found: readonly FoundSession[]): Item[] =>
    found.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...found.map((one) => itemOf(one, severalHosts, now))];
  return [
    ...section(
      l10n.t('Titles'),
      sessions.filter(({ byTitle }) => byTitle),
    ),
    ...section(
      l10n.t('What was said'),
      sessions.filter(({ byTitle }) => !byTitle),
    ),
    ...(sessions.length === 0 ? [{ label: l10n.t('No session matches'), alwaysShow: true }] : []),
    ...(notes.length === 0 ? [] : [{ label: '', kind: vscode.QuickPickItemKind.Separator }]),
    ...notes.map(noteItem),
  ];
}

function noteItem(note: string): Item {
  return { label: `$(info) ${note}`, alwaysShow: true };
}

/** Shown whatever VS Code itself would find in it. */
function itemOf({ ref, title, hostLabel, folder, said, archived, modifiedAt }: FoundSession, severalHosts: boolean, now: number): Item {
  const facts = [archived && 'archived', folder, severalHosts && oneLine(hostLabel), relativeTime(modifiedAt, now)];
  return {
    ref,
    ...(said && { said }),
    label: withoutMarkup(title),
    description: withoutMarkup(facts.filter(Boolean).join(' · ')),
    ...(said && { detail: withoutMarkup(`${said.saying.by === 'you' ? l10n.t('You') : l10n.t('Agent')}: ${oneLine(said.line)}`) }),
    alwaysShow: true,
  };
}

function notesOf({ isCut }: Found, reading: Reading | undefined, problem: string | undefined, leavesOut: boolean): string[] {
  return [
    ...(isCut ? [l10n.t('There are more. Type more words to find them.')] : []),
    ...(leavesOut ? [l10n.t('Sessions of other hosts: only titles and what was opened in this window')] : []),
    ...(reading?.isCut ? [l10n.t('Older sessions are searched by their titles only.')] : []),
    ...(reading && reading.failed > 0
      ? [
          l10n.plural(
            reading.failed,
            l10n.t`${l10n.countText(reading.failed)} session could not be read, or only in part. Titles are searched there.`,
            l10n.t`${l10n.countText(reading.failed)} sessions could not be read, or only in part. Titles are searched there.`,
          ),
        ]
      : []),
    ...(problem === undefined ? [] : [l10n.t`What was said could not be read: ${withoutMarkup(oneLine(problem))}`]),
  ];
}
