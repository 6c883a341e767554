/** Commands of AHP 1.0 as those of AHP v1. */
import type { Command as ChannelCommand, CommandParams as ChannelParams } from '../../channels/commands.ts';
import { omitAbsent } from '../../common/reducers/reducer.ts';
import type { WireRequest } from '../dialect.ts';
import { firstModelIn } from '../../sessionMetaKeys.ts';
import { activeClientOf, claimOf } from './downgrade.ts';

type Requests = { [M in ChannelCommand]?: (params: ChannelParams<M>) => object | undefined };

/** The parameters of AHP v1, which may all be undefined where it cannot do what is asked. */
const requests: Requests = {
  createSession: ({ channel, provider, workingDirectories = [], config, activeClient, _meta }) => {
    const [workingDirectory, ...more] = workingDirectories;
    if (more.length > 0) return undefined;
    const model = firstModelIn(_meta);
    return { session: channel, provider, workingDirectory, config, model, activeClient: activeClient && activeClientOf(activeClient) };
  },
  disposeSession: ({ channel }) => ({ session: channel }),
  listSessions: () => ({}),
  createTerminal: ({ channel, claim, name, cwd, cols, rows }) => ({ terminal: channel, claim: claimOf(claim), name, cwd, cols, rows }),
  disposeTerminal: ({ channel }) => ({ terminal: channel }),
  authenticate: ({ resource, token }) => ({ resource, token }),
  resolveSessionConfig: ({ provider, workingDirectory, config }) => ({ provider, workingDirectory, config }),
  sessionConfigCompletions: ({ provider, workingDirectory, config, property, query }) => ({
    ...{ provider, workingDirectory, config },
    ...{ property, query },
  }),
  resourceRead: ({ uri, encoding }) => ({ uri, encoding }),
  resourceWrite: ({ uri, data, encoding, contentType, createOnly, mode = 'truncate', position, ifMatch }) =>
    mode === 'truncate' && position === undefined && ifMatch === undefined ? { uri, data, encoding, contentType, createOnly } : undefined,
  resourceList: ({ uri }) => ({ uri }),
  resourceDelete: ({ uri, recursive }) => ({ uri, recursive }),
  resourceCopy: ({ source, destination, failIfExists }) => ({ source, destination, failIfExists }),
  resourceMove: ({ source, destination, failIfExists }) => ({ source, destination, failIfExists }),
};

export function requestFor(method: string, params: object): WireRequest | undefined {
  const translate = Object.hasOwn(requests, method)
    ? (requests[method as ChannelCommand] as (params: object) => object | undefined)
    : undefined;
  const translated = translate?.(params);
  return translated && { method, params: omitAbsent(translated) };
}
