/** The question whether tools may be used. It is the same wherever it is asked: who offers them, and all that is said of them. */
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

/** One question about tools of one provider. `code`: with which the user has paired it a moment ago. */
export function toolsQuestion(
  tools: readonly [OfferedTool, ...OfferedTool[]],
  hasChanged: (tool: OfferedTool) => boolean,
  code?: string,
): ToolQuestion {
  const [first, ...more] = tools;
  const paired = code === undefined ? [] : [`    you have paired it with the code ${code}`];
  if (more.length === 0) {
    const { title } = toolQuestion(first, hasChanged(first));
    return { title, facts: [...providerFacts(first), ...paired, ...toolFacts(first)] };
  }
  const states = new Set(tools.map((tool) => (hasChanged(tool) ? 'changed' : 'new')));
  return {
    title: `Allow the ${tools.length} ${[...states].sort().reverse().join(' and ')} tools of ${named(first.provider)}?`,
    facts: [
      ...providerFacts(first),
      ...paired,
      ...tools.flatMap((tool, at) => [
        ...field(`tool ${at + 1} of ${tools.length}`, tool.name),
        ...(hasChanged(tool) ? ['    changed since you allowed it'] : []),
        ...toolFacts(tool),
      ]),
    ],
  };
}

function providerFacts(tool: OfferedTool): string[] {
  const hint = encodedNameHint(tool.origin);
  return [...field('provider', tool.provider), `    trust: ${trustText(tool)}`, ...(hint === undefined ? [] : [`    ${hint}`])];
}

function toolFacts({ description, parameters }: OfferedTool): string[] {
  return [...(description === '' ? ['    no description'] : prose('description', description)), ...json('input schema', parameters)];
}
