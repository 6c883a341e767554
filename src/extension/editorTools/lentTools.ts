/** The tools of the editor, and what they need, while they are lent. */
import * as l10n from '../../base/l10n.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { TextDocuments } from '../textDocuments.ts';
import { EditorProviders } from './editorProviders.ts';
import type { EditorTool } from './shared/editorTool.ts';
import type { TerminalOutputs } from './shared/terminalOutputs.ts';
import type { WindowFolders } from './shared/windowFolders.ts';
import { editorsTools } from './tools/editors.ts';
import { languageTools } from './tools/language.ts';
import { showTools } from './tools/show.ts';
import { terminalTools } from './tools/terminalTools.ts';
import { textSearchTools } from './tools/textSearch.ts';

export class LentTools implements Disposable {
  readonly #store = new DisposableStore();
  readonly providers: EditorProviders;

  /** `more`: of other parts of the window. */
  constructor(folders: WindowFolders, terminals: TerminalOutputs, more: readonly EditorTool[], logger: Logger) {
    const proposed = this.#store.add(
      new TextDocuments('tapline-proposed', l10n.t('This text is no longer kept. Ask the agent to show it again.')),
    );
    const tools = [
      ...editorsTools(folders),
      ...languageTools(folders),
      ...textSearchTools(folders),
      ...showTools(folders, proposed),
      ...terminalTools(terminals),
      ...more,
    ];
    this.providers = this.#store.add(new EditorProviders(tools, logger));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
