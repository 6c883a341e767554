import * as z from 'zod';
import { config } from '../../views/portal/answers/sessionSchemas.ts';
import { described, pathText, routes, shape } from './route.ts';

export const generalRoutes = routes({
  config: {
    path: '/config',
    changes: false,
    summary: 'Where the repository is, and what this portal is like.',
    answer: shape(
      'Config',
      z.strictObject(
        described(config.shape, {
          repoRoot: 'An absolute path.',
          sharesRuns: 'True: portals share the store of the runs, and none is deleted.',
        }),
      ),
    ),
  },
  hello: {
    path: '/test',
    changes: false,
    summary: 'Says that the portal is there.',
    answer: shape('Hello', z.strictObject({ message: z.string() })),
  },
  token: {
    path: '/token',
    changes: true,
    summary: 'A reader of its own for …/live/{token}.',
    answer: shape('Token', z.strictObject({ token: z.uuid() })),
  },
  stop: {
    path: '/stop',
    changes: true,
    summary: 'Stops everything. Then the process ends.',
    answer: shape('Stopped', z.strictObject({})),
  },
  document: {
    path: '/openapi.json',
    changes: false,
    summary: 'This document.',
    answer: shape('Document', z.looseObject({ openapi: z.literal('3.1.0') })),
  },
});

/** Of a portal that takes entries of tests. */
export const testRoutes = routes({
  installEntry: {
    path: '/copilot/test/installJobsEntry',
    changes: true,
    summary: 'Takes the tasks and jobs of a file in the test folder.',
    body: { description: 'The absolute path of the file.', format: 'text', schema: pathText },
    answer: shape(
      'Installed',
      z.union([
        z.strictObject({ result: z.literal('OK') }),
        z.strictObject({ result: z.enum(['InvalidatePath', 'InvalidateEntry', 'Rejected']), error: z.string() }),
      ]),
    ),
  },
});
