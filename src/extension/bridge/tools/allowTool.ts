/** Asks the user about a tool that is new or has changed, with all that it says about itself in view. */
import type { OfferedTool } from '../../../tap/wire/ownerMessages.ts';
import { plainLines } from '../../../views/providers/words.ts';
import { trustText } from '../../../tap/wire/trust.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { confirm } from '../../notifications.ts';
import type { ToolSwitches } from './toolSwitches.ts';

/** Of a description and of a schema. */
const ASKED_LENGTH = 1_000;

/** True when the tool may be switched on as it is: the user has seen it so before, or allows it now. */
export async function allowTool(tool: OfferedTool, switches: ToolSwitches): Promise<boolean> {
  if (switches.isReviewed(tool)) return true;
  const { name, provider, description, parameters } = tool;
  const detail = [
    `Offered by ${oneLine(provider)} (${trustText(tool)}).`,
    description === '' ? '(no description)' : plainLines(description, ASKED_LENGTH),
    `Input schema: ${plainLines(JSON.stringify(parameters), ASKED_LENGTH)}`,
    'The sessions of this window can then use it. Each call still asks you, unless the agent’s settings say otherwise.',
  ].join('\n\n');
  return confirm(`${switches.wasAllowed(tool) ? 'Allow the changed tool' : 'Allow the new tool'} “${name}”?`, detail, 'Allow');
}
