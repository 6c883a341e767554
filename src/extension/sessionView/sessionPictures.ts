/** The first pictures of sessions in editors, drawn by the page's own parts. */
import * as vscode from 'vscode';
import { englishOf } from '../../base/errors.ts';
import { PAGE_LANGUAGE } from '../../base/l10n.ts';
import type { Logger } from '../../base/log.ts';
import type { ExtensionMessage } from '../../webviews/session/protocol.ts';
import { pageLanguage } from './webviewHtml.ts';

/** After the first page, which draws its picture itself, because it would have to wait. */
const LOAD_AFTER_MS = 1_000;

/** `webviews/session/picture.tsx`. */
interface Painter {
  pictureOf(told: readonly ExtensionMessage[]): string | undefined;
}

export class SessionPictures {
  #painter: Painter | undefined;
  #isWanted = false;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly logger: Logger,
  ) {}

  /** Undefined where the page draws it itself. */
  of(told: readonly ExtensionMessage[]): string | undefined {
    try {
      if (this.#painter) return this.#painter.pictureOf(told);
    } catch (error) {
      this.#warn(error);
    }
    if (!this.#isWanted) setTimeout(() => this.#load().catch((error: unknown) => this.#warn(error)), LOAD_AFTER_MS);
    this.#isWanted = true;
    return undefined;
  }

  async #load(): Promise<void> {
    // Its texts are read while it is loaded.
    Object.assign(globalThis, { [PAGE_LANGUAGE]: pageLanguage() });
    const file = vscode.Uri.joinPath(this.extensionUri, 'dist', 'extension', 'sessionPicture.mjs');
    this.#painter = (await import(file.toString())) as Painter;
  }

  #warn(error: unknown): void {
    this.logger.warn(`The first picture of a session was not made: ${englishOf(error)}`);
  }
}
