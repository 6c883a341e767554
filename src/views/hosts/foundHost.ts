/** What was found at the address of a host, in a sentence. All words are the host's, and cut. */
import * as l10n from '../../base/l10n.ts';
import type { FoundHost } from '../../ahp/client/probe.ts';
import { oneLine } from '../text/oneLine.ts';

const MAX_WORD = 60;
const MAX_AGENTS = 5;

type Agents = readonly { displayName?: string; provider: string }[];

/** Such as `Tapline 0.4, protocol 1.0.0, with 2 agents: Demo, Copilot`. */
export function foundHost({ serverInfo, version, root }: Pick<FoundHost, 'serverInfo' | 'version' | 'root'>): string {
  const name = oneLine(serverInfo?.name, MAX_WORD) || l10n.t('An agent host');
  const ownVersion = oneLine(serverInfo?.version, MAX_WORD);
  const agents = root?.agents;
  return l10n.commaText([
    ownVersion ? `${name} ${ownVersion}` : name,
    l10n.t`protocol ${oneLine(version, MAX_WORD)}`,
    ...(agents ? [agentsText(agents)] : []),
  ]);
}

function agentsText(agents: Agents): string {
  if (agents.length === 0) return l10n.t('without agents so far');
  const count = l10n.countText(agents.length);
  return l10n.plural(agents.length, l10n.t`with ${count} agent: ${names(agents)}`, l10n.t`with ${count} agents: ${names(agents)}`);
}

function names(agents: Agents): string {
  const shown = agents
    .slice(0, MAX_AGENTS)
    .map(({ displayName, provider }) => oneLine(displayName, MAX_WORD) || oneLine(provider, MAX_WORD));
  const more = agents.length - shown.length;
  return l10n.commaText([...shown, ...(more > 0 ? [l10n.t`${more} more`] : [])]);
}
