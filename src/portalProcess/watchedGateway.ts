/** The tap gateway of this user, as far as it runs: the portal starts none. */
import { findDaemon } from '../base/daemon/daemonLock.ts';
import { UserError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { WatchedGateway } from '../portal/pages/towerPage.ts';
import { gatewayLockFile } from '../tap/owner/gatewayPaths.ts';
import { NoLinkError, OwnerClient } from '../tap/owner/ownerClient.ts';
import type { OwnerRequest, OwnerResults } from '../tap/wire/owner/ownerMessages.ts';

const NOT_THERE = 'No tap gateway runs now, so nothing is watched. VS Code starts one with the first session that is opened.';
const OPEN_MS = 5_000;

export function watchedGateway(logger: Logger, lockFile = gatewayLockFile()): WatchedGateway {
  const owner = new OwnerClient({
    name: 'portal, to look on',
    find: async () => {
      const found = await findDaemon(lockFile);
      if (!found) throw new Error(NOT_THERE);
      return { url: found.url, token: found.token };
    },
    logger,
  });
  const request = async <M extends OwnerRequest>(method: M, params: object): Promise<OwnerResults[M]> => {
    try {
      await opened(owner);
      return await owner.request(method, params);
    } catch (error) {
      if (error instanceof NoLinkError) throw new UserError(whyNot(owner));
      throw error;
    }
  };
  return {
    status: () => request('diagnostics', {}),
    records: async (query) => (await request('records/query', query)).records,
    dispose: () => owner.dispose(),
  };
}

function whyNot({ state }: OwnerClient): string {
  const reason = state.kind === 'waiting' ? state.error : `it has not answered within ${OPEN_MS / 1_000} s`;
  return reason === NOT_THERE ? reason : `The gateway cannot be asked: ${reason}`;
}

/** The first attempt to connect is over. */
function opened(owner: OwnerClient): Promise<void> {
  if (owner.state.kind !== 'connecting') return Promise.resolve();
  return new Promise((resolve) => {
    const listening = owner.onDidChangeState(({ kind }) => kind === 'connecting' || end());
    const timer = setTimeout(() => end(), OPEN_MS);
    const end = () => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
  });
}
