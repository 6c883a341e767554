/** The change of a file at the cursor of its diff editor, and discarding it. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { FileEdit, FileEditSide } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import { sameJson } from '../../base/sameJson.ts';
import { changeAt, namedLines } from '../../views/changes/changeAt.ts';
import { type ChangesetInput, targetOf } from '../../views/changes/changesTree.ts';
import { type ShownFile, shownFile, type ShownSides } from '../../views/changes/shownFile.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { openDiff } from '../sessionView/openers.ts';
import { hostFileOf, resourceDocument } from '../sessionView/resourceDocuments.ts';
import { type OperationPlace, runOperation } from './runOperation.ts';
import type { ShownChanges } from './shownChanges.ts';

const VIEW = 'tapline.changes';
/** A host computes its changeset again after an operation. */
const SHOWN_WITHIN_MS = 10_000;
/** In characters. */
const MAX_PATH = 1_000;

interface Found extends ShownFile {
  readonly host: RegisteredHost;
  /** In which the cursor is. */
  readonly side: 'before' | 'after';
}

export class ChangeAtCursor implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Another editor is in front, or there are other changes. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(private readonly changes: ShownChanges) {
    this.#store.add(changes.onDidChange(() => this.#onDidChange.fire()));
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#onDidChange.fire()));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#onDidChange.fire()));
  }

  /** The editor in front shows a file of which the host can discard parts. */
  get isOffered(): boolean {
    return this.#found() !== undefined;
  }

  async discard(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const found = this.#found();
    if (!editor || !found)
      throw new UserError(
        l10n.t('Open the differences of a file from the Changes view first. Its host must offer to discard a part of a file.'),
      );
    const { host, input, file, discard } = found;
    const place = await this.#placeOf(found, editor.selection.active.line);
    if (!place) throw new UserError(l10n.t('There is no change at the cursor. Put it into a line that is marked as changed.'));
    const now = () => this.changes.inputs.find(({ listed }) => listed.uri === input.listed.uri)?.state;
    if (!(await runOperation(host, VIEW, place, discard, now))) return;
    const next = await this.#nextEdit(now, file.id, file.edit);
    // The user may look at something else by now.
    if (next && vscode.window.activeTextEditor?.document === editor.document) await openDiff(host, next, l10n.t('changes'));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #found(): Found | undefined {
    const { host } = this.changes;
    const document = vscode.window.activeTextEditor?.document.uri;
    const content = host && document && hostFileOf(host, document);
    const sides = host && sidesInFront(host);
    const found = sides && shownFile(this.changes.inputs, sides);
    if (!found || (content !== sides.after && content !== sides.before)) return undefined;
    return { host, ...found, side: content === sides.after ? 'after' : 'before' };
  }

  /** `line`: from 0. Undefined where nothing was changed there. A file that was created is one change. */
  async #placeOf({ host, input, file, side }: Found, line: number): Promise<OperationPlace | undefined> {
    const { before, after } = file.edit;
    const target = targetOf(file.edit);
    if (!after || !target) return undefined;
    const name = oneLine(displayPath(after.uri, this.changes.folder), MAX_PATH);
    const common = { changeset: input.listed.uri, seen: file };
    if (!before) return { ...common, name, scope: 'resource', isCreated: true, target };
    const [old, fresh] = await Promise.all([textOf(host, before), textOf(host, after)]);
    const lines = changeAt(old, fresh, line, side);
    if (!lines) return undefined;
    const resource = (lines.side === 'before' ? before : after).uri;
    return { ...common, name: `${name}, ${namedLines(lines)}`, scope: 'range', target: { kind: 'range', resource, ...lines } };
  }

  /** What is left of the change, to be shown in place of what the editor shows. Undefined when nothing is left, or the host does not say it soon. */
  async #nextEdit(now: () => ChangesetInput['state'], fileId: string, before: FileEdit): Promise<FileEdit | undefined> {
    const edit = () => now()?.files.find(({ id }) => id === fileId)?.edit;
    const store = new DisposableStore();
    try {
      await new Promise<void>((resolve) => {
        const look = () => sameJson(edit(), before) || resolve();
        store.add(this.changes.onDidChange(look));
        const timer = setTimeout(resolve, SHOWN_WITHIN_MS);
        store.add(toDisposable(() => clearTimeout(timer)));
        look();
      });
    } finally {
      store.dispose();
    }
    const next = edit();
    return sameJson(next, before) ? undefined : next;
  }
}

/** Both contents of the difference in front, or that of the editor. Undefined where they are not the host's. */
function sidesInFront(host: RegisteredHost): ShownSides | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) {
    const [before, after] = [hostFileOf(host, input.original), hostFileOf(host, input.modified)];
    return before === undefined || after === undefined ? undefined : { before, after };
  }
  const after = input instanceof vscode.TabInputText ? hostFileOf(host, input.uri) : undefined;
  return after === undefined ? undefined : { after };
}

async function textOf(host: RegisteredHost, side: FileEditSide): Promise<string> {
  return (await vscode.workspace.openTextDocument(resourceDocument(host.id, side.content.uri, displayPath(side.uri)))).getText();
}
