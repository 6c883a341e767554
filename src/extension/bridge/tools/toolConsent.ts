/** Asks the user about tools that are new or have changed, with all that they say about themselves in view: one question for each provider. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { CODES } from '../../../views/text/decisionLines.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import { choose, NOT_NOW, showInfo } from '../../notifications.ts';
import { TextDocuments } from '../../textDocuments.ts';
import { byProvider, type ToolsOfOne } from './byProvider.ts';
import type { ToolSwitches } from './toolSwitches.ts';
import { toolsQuestion } from './toolsQuestion.ts';

/** What a dialog shows whole, also in a small window. */
const DIALOG_LINES = 16;
const DIALOG_LENGTH = 600;

export class ToolConsent implements Disposable {
  readonly #documents = new TextDocuments('tapline-tool', l10n.t('This text is no longer kept. Switch the tool on again.'));

  constructor(private readonly switches: ToolSwitches) {}

  /** Those that may be switched on as they are: the user has seen them so before, or allows them now. */
  async allow(tools: readonly OfferedTool[]): Promise<ReadonlySet<OfferedTool>> {
    const allowed = new Set(tools.filter((tool) => this.switches.isReviewed(tool)));
    for (const group of byProvider(tools.filter((tool) => !allowed.has(tool))))
      for (const tool of await this.#ask(group)) allowed.add(tool);
    return allowed;
  }

  /**
   * The question about the tools of one provider, and what follows from the answer. `code`: with which the user has paired it a moment ago. Then the
   * question comes by itself, and an Enter that was meant for something else allows nothing.
   */
  async askAbout(tools: ToolsOfOne, code?: string): Promise<void> {
    const allowed = await this.#ask(tools, code);
    if (allowed.length > 0) await this.switches.setTools(allowed.map((tool) => ({ tool, on: true })));
  }

  dispose(): void {
    this.#documents.dispose();
  }

  /** What is too long for a dialog opens as a document, and is asked about beside it. */
  async #ask(tools: ToolsOfOne, code?: string): Promise<readonly OfferedTool[]> {
    const { title, shown, facts } = toolsQuestion(tools, (tool) => this.switches.wasAllowed(tool), code);
    const isOne = tools.length === 1;
    const means = isOne
      ? [
          l10n.t('The sessions of this window can then use it.'),
          l10n.t('Each call still asks you, unless the agent’s settings say otherwise.'),
        ]
      : [
          l10n.t('The sessions of this window can then use them.'),
          l10n.t('Each call of one still asks you, unless the agent’s settings say otherwise.'),
        ];
    const yes: string[] = isOne ? [l10n.t('Allow')] : [l10n.t('Allow All'), CHOOSE];
    const text = facts.join('\n');
    let answer: string | undefined;
    if (facts.length <= DIALOG_LINES && text.length <= DIALOG_LENGTH)
      answer = await choose(title, `${text}\n\n${l10n.sentencesText(means)}`, ...(code === undefined ? yes : [NOT_NOW, ...yes]));
    else {
      const name = isOne ? l10n.t`Tool ${tools[0].name}` : l10n.t`Tools of ${tools[0].provider}`;
      await this.#documents.show(name, 'txt', [title, '', ...means, CODES, '', ...facts, ''].join('\n'));
      answer = await showInfo(shown, ...yes, NOT_NOW);
    }
    if (answer === CHOOSE) return chosenOf(tools);
    return answer !== undefined && yes.includes(answer) ? tools : [];
  }
}

const CHOOSE = l10n.t('Choose…');

/** All of each has been in the question. */
async function chosenOf(tools: ToolsOfOne): Promise<readonly OfferedTool[]> {
  const items = tools.map((tool) => ({ label: withoutMarkup(tool.name), tool }));
  const placeHolder = l10n.t('Which of the tools that you were shown may your sessions use?');
  const picked = await vscode.window.showQuickPick(items, { title: l10n.t('Allow Tools'), placeHolder, canPickMany: true });
  return (picked ?? []).map(({ tool }) => tool);
}
