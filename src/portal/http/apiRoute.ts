/** How routes are added: each with what its description says of it. */
import type { Hono } from 'hono';
import type { RouteDoc } from '../api/routeDoc.ts';
import type { Refusal } from '../door/access.ts';
import { type PortalContext, type PortalEnv, problemAnswer } from './answers.ts';

type Handler = (c: PortalContext) => Response | Promise<Response>;
/** Adds the handler of a route that is described, by its path after `/api`. */
export type AddRoute = (path: string, handler: Handler) => void;

/** `changeRefusal`: why a request may not change anything. */
export function addRoutesTo(
  app: Hono<PortalEnv>,
  docs: readonly RouteDoc[],
  changeRefusal: (c: PortalContext) => Refusal | undefined,
): AddRoute {
  return (path, handler) => {
    const doc = docs.find((one) => one.path === path);
    if (!doc) throw new Error(`the route ${path} is not described`);
    app.on(['GET', 'POST'], `/api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, (c) => {
      if (doc.postOnly && c.req.method !== 'POST') return problemAnswer(405, 'MethodNotAllowed', 'This is sent by POST.');
      const refusal = doc.changes ? changeRefusal(c) : undefined;
      return refusal ? problemAnswer(refusal.status, refusal.error, refusal.message) : handler(c);
    });
  };
}
