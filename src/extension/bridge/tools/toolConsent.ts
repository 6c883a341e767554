/** Asks the user about a tool that is new or has changed, with all that it says about itself in view. */
import type { Disposable } from '../../../base/lifecycle.ts';
import { toolQuestion } from '../../../tap/owner/toolQuestion.ts';
import type { OfferedTool } from '../../../tap/wire/ownerMessages.ts';
import { confirm, showInfo } from '../../notifications.ts';
import { TextDocuments } from '../../textDocuments.ts';
import type { ToolSwitches } from './toolSwitches.ts';

/** What a dialog shows whole, also in a small window. */
const DIALOG_LINES = 16;
const DIALOG_LENGTH = 600;
const MEANS = ['The sessions of this window can then use it.', 'Each call still asks you, unless the agent’s settings say otherwise.'];
const CODES = 'A character that cannot be seen is written as \\u{…}.';

export class ToolConsent implements Disposable {
  readonly #documents = new TextDocuments('tapline-tool', 'This text is no longer kept. Switch the tool on again.');

  constructor(private readonly switches: ToolSwitches) {}

  /**
   * True when the tool may be switched on as it is: the user has seen it so before, or allows it now. What is too long for a dialog opens as a
   * document, and is asked about beside it.
   */
  async allow(tool: OfferedTool): Promise<boolean> {
    if (this.switches.isReviewed(tool)) return true;
    const { title, facts } = toolQuestion(tool, this.switches.wasAllowed(tool));
    const text = facts.join('\n');
    if (facts.length <= DIALOG_LINES && text.length <= DIALOG_LENGTH) return confirm(title, `${text}\n\n${MEANS.join(' ')}`, 'Allow');
    await this.#documents.show(`Tool ${tool.name}`, 'txt', [title, '', ...MEANS, CODES, '', ...facts, ''].join('\n'));
    return (await showInfo(`${title.slice(0, -1)}, as the document shows it?`, 'Allow', 'Not Now')) === 'Allow';
  }

  dispose(): void {
    this.#documents.dispose();
  }
}
