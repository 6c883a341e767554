/** Keeps what was entered of a host. */
import type { HostTokens } from '../../hosts/hostTokens.ts';
import type { HostSetting, settings } from '../../settings.ts';

interface Places {
  tokens: Pick<HostTokens, 'set'>;
  settings: Pick<typeof settings, 'hosts' | 'setHosts'>;
}

/** `old`: what is edited; undefined for a new host. Nothing of it is lost when this fails. */
export async function saveHost(
  { setting, token }: { setting: HostSetting; token: string | undefined },
  old: HostSetting | undefined,
  { tokens, settings }: Places,
): Promise<void> {
  // A host that is listed is connected, with its token.
  await tokens.set(setting.url, token);
  const hosts = settings.hosts();
  await settings.setHosts(old ? hosts.map((host) => (host.url === old.url ? setting : host)) : [...hosts, setting]);
  if (old && old.url !== setting.url) await tokens.set(old.url, undefined);
}
