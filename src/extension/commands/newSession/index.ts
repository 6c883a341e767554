/** What the pages show of new sessions, and what they begin. */
import type { Draft } from '../../../webviews/session/protocol.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { startOffer } from '../../../views/newSession/startOffer.ts';
import type { NewSessionChoice } from '../../../pages/session/sessionPageServices.ts';
import type { SessionServices } from '../../sessionView/sessionServices.ts';
import { startFolders, startHost } from '../../sessions/startHost.ts';
import { settings } from '../../settings.ts';
import type { WindowServices } from '../../windowServices.ts';
import { StartRequests } from './startRequests.ts';

/** The host and the agent of the session that was started last from the composer. */
const LAST_AGENT = 'tapline.lastAgent';

/** `create`: makes a session and shows it. Undefined where the user thinks better of it. */
export function newSessions(
  { context, hosts, run, tell }: Pick<WindowServices, 'context' | 'hosts' | 'run' | 'tell'>,
  create: (choice: NewSessionChoice, draft: Draft | undefined, sends?: boolean) => Promise<SessionRef | undefined>,
): Pick<SessionServices, 'createSession' | 'startOffer' | 'answerStart' | 'startSession'> {
  const requests = new StartRequests(hosts, context.globalState);
  return {
    createSession: (choice, draft) => void run('newSession', () => create(choice, draft)),
    startOffer: () =>
      startOffer(
        hosts.all.flatMap(startHost),
        startFolders(),
        context.globalState.get(LAST_AGENT),
        settings.models().length > 0,
        requests.remembered,
      ),
    answerStart: (message) => requests.answer(message),
    startSession: async (choice, draft) => {
      let session: SessionRef | undefined;
      try {
        session = await create(choice, draft, draft !== undefined);
        if (!session) return undefined;
        const { hostId, provider } = choice;
        await context.globalState.update(LAST_AGENT, { hostId, provider });
        await requests.remember(choice);
      } catch (error) {
        // The page has its words back before the message is closed.
        void tell('newSession', error);
      }
      return session;
    },
  };
}
