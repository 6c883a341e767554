import * as z from 'zod';
import { type RouteDoc, shape } from './routeDoc.ts';

export const generalDocs: readonly RouteDoc[] = [
  {
    path: '/config',
    changes: false,
    summary: 'Where the repository is.',
    answer: shape('Config', z.strictObject({ repoRoot: z.string().describe('An absolute path.') })),
  },
  {
    path: '/test',
    changes: false,
    summary: 'Says that the portal is there.',
    answer: shape('Hello', z.strictObject({ message: z.string() })),
  },
  {
    path: '/token',
    changes: true,
    summary: 'A reader of its own for …/live/{token}.',
    answer: shape('Token', z.strictObject({ token: z.uuid() })),
  },
  {
    path: '/stop',
    changes: true,
    summary: 'Stops everything. Then the process ends.',
    answer: shape('Stopped', z.strictObject({})),
  },
  {
    path: '/openapi.json',
    changes: false,
    summary: 'This document.',
    answer: shape('Document', z.looseObject({ openapi: z.literal('3.1.0') })),
  },
  {
    path: '/copilot/test/installJobsEntry',
    changes: true,
    summary: 'Takes the tasks and jobs of a file in the test folder.',
    body: { description: 'The absolute path of the file.' },
    answer: shape(
      'Installed',
      z.union([
        z.strictObject({ result: z.literal('OK') }),
        z.strictObject({ result: z.enum(['InvalidatePath', 'InvalidateEntry', 'Rejected']), error: z.string() }),
      ]),
    ),
    testOnly: true,
  },
];
