/** Texts that are kept in memory and shown as read-only documents. */
import * as vscode from 'vscode';
import { dropOldest } from '../base/dropOldest.ts';
import type { Disposable } from '../base/lifecycle.ts';
import { oneLine } from '../views/text/oneLine.ts';

/** Texts that can be shown again. The tab of an older one keeps its text until it is closed. */
const KEPT = 30;
/** In characters. */
const TITLE_LENGTH = 80;

export class TextDocuments implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #added = 0;

  /** `forgotten`: shown in place of a text that is no longer kept. */
  constructor(
    private readonly scheme: string,
    forgotten: string,
  ) {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) => this.#texts.get(query) ?? forgotten,
    });
  }

  /** `path` gives the title and the language. Texts of one `key` share a tab; without a key each text has its own. */
  add(path: string, text: string, key = String(++this.#added)): vscode.Uri {
    this.#texts.delete(key);
    this.#texts.set(key, text);
    dropOldest(this.#texts, KEPT);
    return vscode.Uri.from({ scheme: this.scheme, path, query: key });
  }

  async show(title: string, extension: 'txt' | 'json', text: string): Promise<void> {
    const path = `/${oneLine(title, TITLE_LENGTH).replace(/[/\\?#%:]/g, '-')}.${extension}`;
    await vscode.window.showTextDocument(this.add(path, text), { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
