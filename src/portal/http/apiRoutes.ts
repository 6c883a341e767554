/** Everything under `/api`. */
import type { Hono } from 'hono';
import type { Route, RouteGroup } from '../api/route.ts';
import { type RouteGroups, routeGroups } from '../api/routeGroups.ts';
import type { Refusal } from '../door/access.ts';
import type { Portal } from '../portal.ts';
import { bodyOf, headersOf, paramsOf, type PortalContext, type PortalEnv, problem, problemAnswer } from './routeAnswers.ts';
import { attentionHandlers, type AttentionOptions, type EndStreams } from './attentionHandlers.ts';
import { generalHandlers, type GeneralOptions, testHandlers } from './generalHandlers.ts';
import type { Handler, Handlers } from './handler.ts';
import { jobHandlers, runChangeHandlers } from './jobHandlers.ts';
import { liveHandlers } from './liveHandlers.ts';
import { resultHandlers } from './resultHandlers.ts';
import { sessionHandlers } from './sessionHandlers.ts';
import { taskHandlers } from './taskHandlers.ts';

export interface ApiRoutesOptions extends Omit<GeneralOptions, 'withTests'>, AttentionOptions {
  /** Entries may be installed from this folder. Absent: by nobody. */
  testFolder?: string;
  /** Why a request may not change anything. */
  changeRefusal(c: PortalContext): Refusal | undefined;
}

/** `test`: absent where the portal takes no entries of tests. */
type ApiHandlers = { [Name in keyof RouteGroups]: Handlers<RouteGroups[Name]> | (Name extends 'test' ? undefined : never) };

export function addApiRoutes(app: Hono<PortalEnv>, portal: Portal, options: ApiRoutesOptions): EndStreams {
  const { testFolder, changeRefusal } = options;
  const attention = attentionHandlers(portal, options);
  const handlers: ApiHandlers = {
    general: generalHandlers(portal, { ...options, withTests: testFolder !== undefined }),
    test: testFolder === undefined ? undefined : testHandlers(portal, testFolder),
    session: sessionHandlers(portal),
    task: taskHandlers(portal),
    job: jobHandlers(portal),
    runChange: runChangeHandlers(portal),
    result: resultHandlers(portal),
    liveSession: liveHandlers(portal.live.session),
    liveTask: liveHandlers(portal.live.task),
    liveJob: liveHandlers(portal.live.job),
    attention: attention.handlers,
  };
  app.use('/api/copilot/:of{job|task}/:id{[0-9a-f-]{36}}/*', async (c, next) => {
    await portal.catchUp(c.req.param('id'));
    return next();
  });
  for (const [name, group] of Object.entries(routeGroups)) {
    // The compiler has checked each with its own route, and cannot follow that through a loop.
    const ofGroup = handlers[name as keyof RouteGroups] as Handlers<RouteGroup> | undefined;
    for (const [key, route] of Object.entries<Route>(group)) {
      const handler = ofGroup?.[key];
      if (handler) app.on(['GET', 'POST'], honoPath(route), (c) => answered(c, route, handler));
    }
  }
  return attention.endStreams;

  async function answered(c: PortalContext, route: Route, handler: Handler<Route>): Promise<Response> {
    if (route.postOnly && c.req.method !== 'POST') return problemAnswer(405, 'MethodNotAllowed', 'This is sent by POST.');
    const refusal = route.changes ? changeRefusal(c) : undefined;
    if (refusal) return problemAnswer(refusal.status, refusal.error, refusal.message);
    if (route.needsStore && portal.storeProblem !== undefined) throw problem(503, 'StoreUnavailable', portal.storeProblem);
    const checked = { body: bodyOf(c, route), headers: headersOf(c, route), params: paramsOf(c, route), c };
    const answer = await handler(checked);
    return answer instanceof Response ? answer : c.json(answer);
  }
}

function honoPath({ path }: Route): string {
  return `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}
