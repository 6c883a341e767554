import { messageOf } from '../../base/errors.ts';
import type { Portal } from '../portal.ts';
import { MAX_KEPT_SESSIONS } from '../api/sessionDocs.ts';
import { bodyOf, param, pathBody, prompt, whileConnected } from './answers.ts';
import type { AddRoute } from './apiRoute.ts';
import { directoryProblem } from '../hostSessions/directoryProblem.ts';

export function addSessionRoutes(add: AddRoute, { sessions, leases, runs }: Portal): void {
  add('/copilot/models', (c) => c.json({ models: sessions.models() }));

  add('/copilot/session', (c) => {
    const uses = runs.sessionUses();
    return c.json({ sessions: sessions.list().map((session) => ({ ...session, use: uses.get(session.sessionId) })) });
  });

  add('/copilot/session/kept', (c) => c.json(sessions.kept(MAX_KEPT_SESSIONS)));

  add('/copilot/session/start/{model}', async (c) => {
    const workingDirectory = bodyOf(c, pathBody);
    const model = param(c, 'model');
    if (!sessions.models().some(({ id }) => id === model)) return c.json({ error: 'ModelIdNotFound' });
    const error = await directoryProblem(workingDirectory);
    if (error) return c.json({ error });
    return whileConnected(c, async (signal) => {
      try {
        const session = await sessions.start({ model, workingDirectory, approve: [] }, signal);
        // Nobody knows its id.
        if (signal.aborted) await session.stop();
        return c.json({ sessionId: session.id });
      } catch (failure) {
        return c.json({ error: 'SessionNotStarted', message: messageOf(failure) });
      }
    });
  });

  add('/copilot/session/{id}/stop', async (c) => {
    const session = sessions.get(param(c, 'id'));
    if (!session) return c.json({ error: 'SessionNotFound' });
    await session.stop();
    return c.json({ result: 'Closed' });
  });

  add('/copilot/session/{id}/query', async (c) => {
    const text = bodyOf(c, prompt);
    const session = sessions.get(param(c, 'id'));
    if (!session) return c.json({ error: 'SessionNotFound' });
    if (leases.holderOf(session.id) !== undefined) return c.json({ error: 'SessionBusy' });
    const refusal = await session.query(text);
    return c.json(refusal === undefined ? {} : { error: 'QueryRefused', message: refusal });
  });
}
