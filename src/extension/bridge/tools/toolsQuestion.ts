/** The question to the user whether tools of one provider may be used: who offers them, and all that is said of them. */
import * as l10n from '../../../base/l10n.ts';
import { json } from '../../../base/text/quoted.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { encodedNameHint } from '../../../views/pairing/originWords.ts';
import { trustWords } from '../../../views/pairing/trustWords.ts';
import { fieldLines, proseLines, namedText } from '../../../views/text/decisionLines.ts';
import type { ToolsOfOne } from './byProvider.ts';

export interface ToolsQuestion {
  /** “Allow the new tool “click”?” */
  readonly title: string;
  /** The same beside a document with the facts. */
  readonly shown: string;
  /**
   * Lines, all of them indented. What a stranger wrote is in quotes, which it cannot end, with codes in place of characters that cannot be seen.
   */
  readonly facts: readonly string[];
}

/** `hasChanged`: the user has allowed another tool of this name before. `code`: with which the user has paired the provider a moment ago. */
export function toolsQuestion(tools: ToolsOfOne, hasChanged: (tool: OfferedTool) => boolean, code?: string): ToolsQuestion {
  const [first, ...more] = tools;
  const paired = code === undefined ? [] : [`    ${l10n.t`you have paired it with the code ${code}`}`];
  if (more.length === 0)
    return { ...titleOfOne(first, hasChanged(first)), facts: [...providerFacts(first), ...paired, ...toolFacts(first)] };
  return {
    ...titleOfSeveral(tools, tools.filter(hasChanged).length),
    facts: [
      ...providerFacts(first),
      ...paired,
      ...tools.flatMap((tool, at) => [
        ...fieldLines(l10n.t`tool ${at + 1} of ${tools.length}`, tool.name),
        ...(hasChanged(tool) ? [`    ${l10n.t('changed since you allowed it')}`] : []),
        ...toolFacts(tool),
      ]),
    ],
  };
}

type Titles = Pick<ToolsQuestion, 'title' | 'shown'>;

function titleOfOne(tool: OfferedTool, hasChanged: boolean): Titles {
  const name = namedText(tool.name);
  return hasChanged
    ? { title: l10n.t`Allow the changed tool ${name}?`, shown: l10n.t`Allow the changed tool ${name}, as the document shows it?` }
    : { title: l10n.t`Allow the new tool ${name}?`, shown: l10n.t`Allow the new tool ${name}, as the document shows it?` };
}

function titleOfSeveral(tools: ToolsOfOne, changed: number): Titles {
  const [count, name] = [l10n.countText(tools.length), namedText(tools[0].provider)];
  if (changed === 0)
    return {
      title: l10n.t`Allow the ${count} new tools of ${name}?`,
      shown: l10n.t`Allow the ${count} new tools of ${name}, as the document shows them?`,
    };
  if (changed === tools.length)
    return {
      title: l10n.t`Allow the ${count} changed tools of ${name}?`,
      shown: l10n.t`Allow the ${count} changed tools of ${name}, as the document shows them?`,
    };
  return {
    title: l10n.t`Allow the ${count} new and changed tools of ${name}?`,
    shown: l10n.t`Allow the ${count} new and changed tools of ${name}, as the document shows them?`,
  };
}

function providerFacts(tool: OfferedTool): string[] {
  const hint = encodedNameHint(tool.origin);
  const trust = l10n.t`trust: ${trustWords(tool)}`;
  return [...fieldLines(l10n.t('provider'), tool.provider), `    ${trust}`, ...(hint === undefined ? [] : [`    ${hint}`])];
}

function toolFacts({ description, parameters }: OfferedTool): string[] {
  return [
    ...(description === '' ? [`    ${l10n.t('no description')}`] : proseLines(l10n.t('description'), description)),
    ...json(l10n.t('input schema'), parameters),
  ];
}
