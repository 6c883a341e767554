/** The agent hosts of the user's settings, as the portal takes them. */
import { hostNamePattern, isPlainHostUrl } from '../../base/connection/hostNames.ts';
import type { Logger } from '../../base/log.ts';

/** As in the file of the portal's `--hosts`. The hosts of the settings are sent their token, as this window does. */
export interface PortalHost {
  name: string;
  url: string;
  token?: string;
  sendToken: true;
}

/** Without those that the portal could not tell apart or not reach, of which the log speaks. */
export async function portalHosts(
  hosts: readonly { name: string; url: string }[],
  tokenOf: (url: string) => PromiseLike<string | undefined>,
  logger: Logger,
): Promise<PortalHost[]> {
  const taken = hosts.filter(({ name, url }) => {
    const isFit = hostNamePattern.test(name) && isPlainHostUrl(url) && hosts.filter((other) => other.name === name).length === 1;
    if (!isFit)
      logger.warn(
        `The portal does not get the agent host ${JSON.stringify(name)}: its name must be the only one, its address plain and no socket.`,
      );
    return isFit;
  });
  return Promise.all(
    taken.map(async ({ name, url }) => {
      const token = await tokenOf(url);
      return { name, url, ...(token && { token }), sendToken: true as const };
    }),
  );
}
