/** The question whether a tool may be used, in English: who offers it, and all that is said of it. VS Code asks `toolsQuestion`. */
import { encodedNameHint } from '../../base/text/origin.ts';
import { field, json, named, prose } from '../../base/text/quoted.ts';
import type { OfferedTool } from '../wire/owner/ownerMessages.ts';
import { trustText } from '../wire/trust.ts';

export interface ToolQuestion {
  /** “Allow the new tool “click”?” */
  readonly title: string;
  /**
   * Lines, all of them indented. What a stranger wrote is in quotes, which it cannot end, with codes in place of characters that cannot be seen.
   * After an empty line Markdown shows them as they are.
   */
  readonly facts: readonly string[];
}

/** `hasChanged`: the user has allowed another tool of this name before. */
export function toolQuestion(tool: OfferedTool, hasChanged: boolean): ToolQuestion {
  return {
    title: `Allow the ${hasChanged ? 'changed' : 'new'} tool ${named(tool.name)}?`,
    facts: [...providerFacts(tool), ...toolFacts(tool)],
  };
}

function providerFacts(tool: OfferedTool): string[] {
  const hint = encodedNameHint(tool.origin);
  return [...field('provider', tool.provider), `    trust: ${trustText(tool)}`, ...(hint === undefined ? [] : [`    ${hint}`])];
}

function toolFacts({ description, parameters }: OfferedTool): string[] {
  return [...(description === '' ? ['    no description'] : prose('description', description)), ...json('input schema', parameters)];
}
