import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import { realPathIn } from '../../base/node/realPathIn.ts';
import { type OpenApiDocument, openApiDocument } from '../api/openApiDocument.ts';
import type { RouteGroups } from '../api/routeGroups.ts';
import type { Entry } from '../entry/entry.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { Portal } from '../portal.ts';
import type { Handlers } from './handler.ts';

export interface GeneralOptions {
  repoRoot: string;
  /** The document of the interface has the routes for tests too. */
  withTests: boolean;
  /** Called when the answer to `stop` has been sent. */
  onStop(): void;
}

export function generalHandlers(portal: Portal, { repoRoot, withTests, onStop }: GeneralOptions): Handlers<RouteGroups['general']> {
  // Made when it is asked for: it takes a fifth of a start.
  let document: OpenApiDocument | undefined;
  return {
    config: () => ({ repoRoot, ...(!portal.runs.canDelete && { sharesRuns: true }) }),
    hello: () => ({ message: 'Hello, world!' }),
    token: () => ({ token: portal.tokens.issue() }),
    stop: async ({ c }) => {
      await portal.stop();
      c.env.outgoing.once('close', onStop);
      c.header('Connection', 'close');
      return {};
    },
    document: () => (document ??= openApiDocument(withTests)),
  };
}

export function testHandlers(portal: Portal, testFolder: string): Handlers<RouteGroups['test']> {
  return {
    installEntry: async ({ body }) => {
      const path = await realPathIn(testFolder, body);
      if (path === undefined) return { result: 'InvalidatePath', error: `The file must be in ${testFolder}.` };
      let entry: Entry;
      try {
        entry = validateEntry(JSON.parse(await readFile(path, 'utf8')));
        portal.sessions.check(entry);
      } catch (error) {
        return { result: 'InvalidateEntry', error: messageOf(error) };
      }
      if (portal.isRunning) return { result: 'Rejected', error: 'A session is running. Stop it first.' };
      portal.installEntry(entry);
      return { result: 'OK' };
    },
  };
}
