/** The change of a file at the cursor of its diff editor, and discarding it. */
import * as vscode from 'vscode';
import type { FileEdit, FileEditSide } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { changeAt } from '../../views/changes/changeAt.ts';
import { type ChangesetInput, DISCARD, operationsOf } from '../../views/changes/changesTree.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { openDiff } from '../sessionView/openers.ts';
import { hostFileOf, resourceDocument } from '../sessionView/resourceDocuments.ts';
import { runOperation } from './changesetOperations.ts';
import type { ShownChanges } from './shownChanges.ts';

const VIEW = 'tapline.changes';
/** A host computes its changeset again after an operation. */
const SHOWN_WITHIN_MS = 10_000;
/** In characters. */
const MAX_PATH = 1_000;

interface Found {
  readonly host: RegisteredHost;
  readonly input: ChangesetInput;
  readonly fileId: string;
  readonly edit: FileEdit;
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
  }

  /** The editor in front shows a file of which the host can discard parts. */
  get isOffered(): boolean {
    return this.#found() !== undefined;
  }

  async discard(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const found = this.#found();
    if (!editor || !found)
      throw new UserError('Open the differences of a file from the Changes view first. Its host must offer to discard a part of a file.');
    const { host, input, edit, side, fileId } = found;
    const { after } = edit;
    const [old, fresh] = await Promise.all([textOf(host, edit.before), textOf(host, after)]);
    const range = changeAt(old, fresh, editor.selection.active.line, side);
    if (!after || !range) throw new UserError('There is no change at the cursor. Put it into a line that is marked as changed.');
    const [operation] = operationsIn(input);
    if (!operation) return;
    const { start, end } = range;
    const lines = end.line - start.line > 1 ? `lines ${start.line + 1} to ${end.line}` : `line ${start.line + 1}`;
    const place = {
      ...{
        changeset: input.listed.uri,
        scope: 'range' as const,
        name: `${oneLine(displayPath(after.uri, this.changes.folder), MAX_PATH)}, ${lines}`,
      },
      target: { kind: 'range' as const, resource: after.uri, side: 'after' as const, range },
    };
    const now = () => this.changes.inputs.find(({ listed }) => listed.uri === input.listed.uri)?.state;
    const changed = this.#nextEdit(now, fileId, edit);
    if (await runOperation(host, VIEW, place, operation, now)) {
      const next = await changed.promise;
      if (next) await openDiff(host, next);
    } else changed.stop();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #found(): Found | undefined {
    const { host } = this.changes;
    const document = vscode.window.activeTextEditor?.document.uri;
    const content = host && document && hostFileOf(host, document);
    if (!host || content === undefined) return undefined;
    for (const input of this.changes.inputs) {
      if (operationsIn(input).length === 0) continue;
      for (const { id, edit } of input.state?.files ?? []) {
        const side = edit.after?.content.uri === content ? 'after' : edit.before?.content.uri === content ? 'before' : undefined;
        if (side && edit.after) return { host, input, fileId: id, edit, side };
      }
    }
    return undefined;
  }

  /** What is left of the change, to be shown in place of what the editor shows. Undefined when nothing is left, or the host does not say it soon. */
  #nextEdit(
    now: () => ChangesetInput['state'],
    fileId: string,
    before: FileEdit,
  ): { promise: Promise<FileEdit | undefined>; stop(): void } {
    let stop = () => undefined as void;
    const promise = new Promise<FileEdit | undefined>((resolve) => {
      const end = (edit?: FileEdit) => {
        clearTimeout(timer);
        listening.dispose();
        resolve(edit);
      };
      const look = () => {
        const state = now();
        const file = state?.files.find(({ id }) => id === fileId);
        if (!file) end();
        else if (file.edit.after?.content.uri !== before.after?.content.uri) end(file.edit);
      };
      const listening = this.changes.onDidChange(look);
      const timer = setTimeout(() => end(), SHOWN_WITHIN_MS);
      stop = () => end();
    });
    return { promise, stop };
  }
}

function operationsIn({ state }: ChangesetInput) {
  return operationsOf(state, 'range').filter(({ id }) => id === DISCARD);
}

async function textOf(host: RegisteredHost, side: FileEditSide | undefined): Promise<string> {
  if (!side) return '';
  return (await vscode.workspace.openTextDocument(resourceDocument(host.id, side.content.uri, displayPath(side.uri)))).getText();
}
