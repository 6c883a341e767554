/** What was found at the address of a host, in a sentence. All words are the host's, and cut. */
import * as l10n from '@vscode/l10n';
import type { FoundHost } from '../../ahp/client/probe.ts';
import { counted } from '../text/counted.ts';
import { oneLine } from '../text/oneLine.ts';

const MAX_WORD = 60;
const MAX_AGENTS = 5;

/** Such as `Tapline 0.4, protocol 1.0.0, with 2 agents: Demo, Copilot`. */
export function foundHost({ serverInfo, version, root }: Pick<FoundHost, 'serverInfo' | 'version' | 'root'>): string {
  const name = oneLine(serverInfo?.name, MAX_WORD) || l10n.t('An agent host');
  const ownVersion = oneLine(serverInfo?.version, MAX_WORD);
  const agents = root?.agents;
  return [
    ownVersion ? `${name} ${ownVersion}` : name,
    `protocol ${oneLine(version, MAX_WORD)}`,
    ...(agents ? [agents.length === 0 ? 'without agents so far' : `with ${counted(agents.length, 'agent')}: ${names(agents)}`] : []),
  ].join(', ');
}

function names(agents: readonly { displayName?: string; provider: string }[]): string {
  const shown = agents
    .slice(0, MAX_AGENTS)
    .map(({ displayName, provider }) => oneLine(displayName, MAX_WORD) || oneLine(provider, MAX_WORD));
  const more = agents.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
