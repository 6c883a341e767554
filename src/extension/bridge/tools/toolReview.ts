/** Asks the user which of the providers' tools their sessions may use. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { trustWords } from '../../../views/pairing/trustWords.ts';
import { toolStateWords } from '../../../views/providers/words.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { ToolConsent } from './toolConsent.ts';
import type { ToolSwitches } from './toolSwitches.ts';

const DETAIL_LENGTH = 400;

/** What waits for a decision first, and what is part of Tapline last. */
function inOrderOfNeed(tools: readonly OfferedTool[], switches: ToolSwitches): OfferedTool[] {
  const rank = (tool: OfferedTool) => {
    if (['new', 'changed'].includes(switches.of(tool))) return 0;
    return tool.trust === 'internal' ? 2 : 1;
  };
  return [...tools].sort((a, b) => rank(a) - rank(b));
}

/** Nothing changes when the user leaves. The list shows the beginning of each description, so a new or changed tool that is picked is asked about. */
export async function reviewTools(tools: readonly OfferedTool[], switches: ToolSwitches, consent: ToolConsent): Promise<void> {
  const shown = (text: string) => withoutMarkup(oneLine(text));
  const items = inOrderOfNeed(tools, switches).map((tool) => {
    const state = switches.of(tool);
    return {
      label: shown(tool.name),
      description: `${shown(tool.provider)} (${shown(trustWords(tool))}) · ${toolStateWords[state]}`,
      detail: shown(tool.description).slice(0, DETAIL_LENGTH),
      picked: state === 'on',
      tool,
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Review Tools'),
    placeHolder: l10n.t('Which tools may your sessions use? Each call still asks you, unless the agent’s settings say otherwise.'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  const allowed = await consent.allow(picked.map(({ tool }) => tool));
  // A tool of a provider that is off as a whole: the provider is on again, with what was picked.
  const returning = [...allowed].filter((tool) => !switches.isProviderOn(tool));
  const isReturning = ({ provider, trust, origin }: OfferedTool) =>
    returning.some((other) => other.provider === provider && other.trust === trust && other.origin === origin);
  const said = tools.filter((tool) => isReturning(tool) || switches.of(tool) !== (allowed.has(tool) ? 'on' : 'off'));
  await switches.setTools(said.map((tool) => ({ tool, on: allowed.has(tool) })));
  for (const tool of returning) if (!switches.isProviderOn(tool)) await switches.setProvider(tool, true);
}
