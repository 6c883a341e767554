/** Everything under `/api`. */
import type { Hono } from 'hono';
import { openApiDocument } from '../api/openApiDocument.ts';
import type { Portal } from '../portal.ts';
import type { PortalEnv } from './answers.ts';
import { addAttentionRoutes, type AttentionRoutesOptions, type EndStreams } from './attentionRoutes.ts';
import { addGeneralRoutes, type GeneralRoutesOptions } from './generalRoutes.ts';
import { addJobRoutes } from './jobRoutes.ts';
import { addLiveRoutes } from './liveRoutes.ts';
import { addSessionRoutes } from './sessionRoutes.ts';
import { addTaskRoutes } from './taskRoutes.ts';

const METHODS = ['GET', 'POST'];

export function addApiRoutes(app: Hono<PortalEnv>, portal: Portal, options: GeneralRoutesOptions & AttentionRoutesOptions): EndStreams {
  const document = openApiDocument(options.testFolder !== undefined);
  app.on(METHODS, '/api/openapi.json', (c) => c.json(document));
  app.use('/api/copilot/:of{job|task}/:id{[0-9a-f-]{36}}/*', async (c, next) => {
    await portal.catchUp(c.req.param('id'));
    return next();
  });
  addGeneralRoutes(app, portal, options);
  addSessionRoutes(app, portal);
  addTaskRoutes(app, portal);
  addJobRoutes(app, portal);
  addLiveRoutes(app, portal);
  return addAttentionRoutes(app, portal, options);
}
