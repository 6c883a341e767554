/** Follows the file of the active editor, which the composer suggests. */
import * as vscode from 'vscode';
import type { FileAttachment } from '../../../views/session/composer/attachments.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { hasOurFiles } from '../../hosts/registeredHost.ts';
import { attachmentsOf } from './attachFiles.ts';
import type { SessionPlace } from './placedFile.ts';

export class CurrentFile implements Disposable {
  readonly #listener: vscode.Disposable;
  #asked = 0;

  /** `tell`: the file, or that there is none which the session's host has. */
  constructor(
    private readonly place: () => SessionPlace | undefined,
    private readonly tell: (file: FileAttachment | undefined) => void,
  ) {
    this.#listener = vscode.window.onDidChangeActiveTextEditor(() => void this.update());
  }

  /** Also to be called when another session is shown, or its folder is known. Never rejects. */
  async update(): Promise<void> {
    const asked = ++this.#asked;
    const place = this.place();
    if (!place) return;
    const uri = vscode.window.activeTextEditor?.document.uri;
    const found = uri && hasOurFiles(place.host) ? await attachmentsOf(place, [uri]).catch(() => undefined) : undefined;
    const [file] = found?.attachments ?? [];
    if (asked === this.#asked) this.tell(file);
  }

  dispose(): void {
    this.#asked++;
    this.#listener.dispose();
  }
}
