import { attentionRoutes } from './attentionRoutes.ts';
import { generalRoutes, testRoutes } from './generalRoutes.ts';
import { jobRoutes } from './jobRoutes.ts';
import { liveRoutes } from './liveRoutes.ts';
import { resultRoutes } from './resultRoutes.ts';
import type { Route } from './route.ts';
import { runChangeRoutes } from './runChangeRoutes.ts';
import { sessionRoutes } from './sessionRoutes.ts';
import { taskRoutes } from './taskRoutes.ts';

/** All routes, in the order of the document. Of two whose paths fit a request, the first one answers it. */
export const routeGroups = {
  general: generalRoutes,
  /** Only where the portal takes entries of tests. */
  test: testRoutes,
  session: sessionRoutes,
  task: taskRoutes,
  job: jobRoutes,
  runChange: runChangeRoutes,
  result: resultRoutes,
  liveSession: liveRoutes.session,
  liveTask: liveRoutes.task,
  liveJob: liveRoutes.job,
  attention: attentionRoutes,
};
export type RouteGroups = typeof routeGroups;

/** `withTests`: also those of a portal that takes entries of tests. */
export function allRoutes(withTests: boolean): readonly Route[] {
  const { test: _test, ...always } = routeGroups;
  return Object.values<Record<string, Route>>(withTests ? routeGroups : always).flatMap((group) => Object.values(group));
}
