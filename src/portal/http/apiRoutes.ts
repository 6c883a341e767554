/** Everything under `/api`. */
import type { Hono } from 'hono';
import { openApiDocument, routeDocs } from '../api/openApiDocument.ts';
import type { Refusal } from '../door/access.ts';
import type { Portal } from '../portal.ts';
import type { PortalContext, PortalEnv } from './answers.ts';
import { addRoutesTo } from './apiRoute.ts';
import { addAttentionRoutes, type AttentionRoutesOptions, type EndStreams } from './attentionRoutes.ts';
import { addGeneralRoutes, type GeneralRoutesOptions } from './generalRoutes.ts';
import { addJobRoutes } from './jobRoutes.ts';
import { addLiveRoutes } from './liveRoutes.ts';
import { addResultRoutes } from './resultRoutes.ts';
import { addSessionRoutes } from './sessionRoutes.ts';
import { addTaskRoutes } from './taskRoutes.ts';

export interface ApiRoutesOptions extends GeneralRoutesOptions, AttentionRoutesOptions {
  /** Why a request may not change anything. */
  changeRefusal(c: PortalContext): Refusal | undefined;
}

export function addApiRoutes(app: Hono<PortalEnv>, portal: Portal, options: ApiRoutesOptions): EndStreams {
  const withTests = options.testFolder !== undefined;
  const add = addRoutesTo(app, routeDocs(withTests), options.changeRefusal);
  const document = openApiDocument(withTests);
  app.use('/api/copilot/:of{job|task}/:id{[0-9a-f-]{36}}/*', async (c, next) => {
    await portal.catchUp(c.req.param('id'));
    return next();
  });
  add('/openapi.json', (c) => c.json(document));
  addGeneralRoutes(add, portal, options);
  addSessionRoutes(add, portal);
  addTaskRoutes(add, portal);
  addJobRoutes(add, portal);
  addResultRoutes(add, portal);
  addLiveRoutes(add, portal);
  return addAttentionRoutes(add, portal, options);
}
