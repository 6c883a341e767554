import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import { messageOf } from '../../base/errors.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { Portal } from '../portal.ts';
import { bodyOf, pathBody, type PortalEnv } from './answers.ts';
import { realPathIn } from './folders.ts';

const METHODS = ['GET', 'POST'];

export interface GeneralRoutesOptions {
  repoRoot: string;
  /** Entries may be installed from this folder. Absent: by nobody. */
  testFolder?: string;
  /** Called when the answer to `stop` has been sent. */
  onStop(): void;
}

export function addGeneralRoutes(app: Hono<PortalEnv>, portal: Portal, { repoRoot, testFolder, onStop }: GeneralRoutesOptions): void {
  app.on(METHODS, '/api/config', (c) => c.json({ repoRoot }));

  app.on(METHODS, '/api/test', (c) => c.json({ message: 'Hello, world!' }));

  app.on(METHODS, '/api/stop', async (c) => {
    await portal.stop();
    c.env.outgoing.once('close', onStop);
    return c.json({}, 200, { Connection: 'close' });
  });

  if (testFolder === undefined) return;
  app.on(METHODS, '/api/copilot/test/installJobsEntry', async (c) => {
    const path = await realPathIn(testFolder, await bodyOf(c, pathBody));
    if (path === undefined) return c.json({ result: 'InvalidatePath', error: `The file must be in ${testFolder}.` });
    let entry;
    try {
      entry = validateEntry(JSON.parse(await readFile(path, 'utf8')));
      portal.sessions.check(entry);
    } catch (error) {
      return c.json({ result: 'InvalidateEntry', error: messageOf(error) });
    }
    if (portal.isRunning) return c.json({ result: 'Rejected', error: 'A session is running. Stop it first.' });
    portal.runs.installEntry(entry);
    return c.json({ result: 'OK' });
  });
}
