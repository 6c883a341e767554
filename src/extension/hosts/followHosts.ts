/** The context keys that say what hosts there are, and what they have. */
import { modelSources } from '../../views/hosts/agentModels.ts';
import type { WindowBase } from '../windowServices.ts';
import type { HostRegistry } from './hostRegistry.ts';
import { agentsOf, rootOf } from './registeredHost.ts';

export function followHosts(keys: WindowBase['keys'], hosts: HostRegistry): void {
  keys.follow(hosts.onDidChange, () => {
    const takeModels = hosts.all.flatMap(agentsOf).filter((agent) => modelSources(agent).length > 0);
    return {
      'tapline.modelsConnected': takeModels.some(({ models }) => models.length > 0),
      'tapline.sessionListed': hosts.all.some(({ client }) => client.sessions.summaries.length > 0),
      'tapline.filesLent': hosts.all.some(({ lent }) => lent.all.length > 0),
      'tapline.hostConfigured': hosts.all.some(({ kind }) => kind === 'configured'),
      'tapline.hostHasSettings': hosts.all.some((host) => Boolean(rootOf(host)?.config)),
    };
  });
}
