/** The traces and goals of the sessions of this window, at the gateway. */
import * as l10n from '../../base/l10n.ts';
import { UserError } from '../../base/errors.ts';
import type { SessionTraces, TracesOfSessions } from '../../pages/emitters/sessionTraces.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { lendingLine } from '../bridge/session/lending.ts';
import type { WindowBridge } from '../bridge/windowBridge.ts';

export class WindowTraces implements TracesOfSessions {
  constructor(private readonly window: { readonly bridge: Pick<WindowBridge['bridge'], 'get' | 'owner'> }) {}

  async of(session: SessionRef): Promise<SessionTraces> {
    const { bridge } = this.window;
    const joined = bridge.get(session);
    const { owner } = bridge;
    if (!joined || owner?.state.kind !== 'connected') {
      const why = joined ? lendingLine(joined.lending) : l10n.t('Its agent host is not connected.');
      throw new UserError(l10n.sentencesText([l10n.t('The tap gateway cannot be asked what this session has done.'), why]));
    }
    return this.elsewhere(joined.sessionId);
  }

  elsewhere(sessionId: string): SessionTraces {
    const owner = () => {
      const link = this.window.bridge.owner;
      if (link?.state.kind !== 'connected') throw new UserError(l10n.t('The tap gateway cannot be reached now.'));
      return link;
    };
    return {
      sessionId,
      records: async (query) => (await owner().request('records/query', query)).records,
      goals: async () => (await owner().request('goals/list', { sessionId })).judgements,
    };
  }
}
