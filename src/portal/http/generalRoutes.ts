import { readFile } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import { realPathIn } from '../../base/node/realPathIn.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import type { Portal } from '../portal.ts';
import { bodyOf, pathBody } from './answers.ts';
import type { AddRoute } from './apiRoute.ts';

export interface GeneralRoutesOptions {
  repoRoot: string;
  /** Entries may be installed from this folder. Absent: by nobody. */
  testFolder?: string;
  /** Called when the answer to `stop` has been sent. */
  onStop(): void;
}

export function addGeneralRoutes(add: AddRoute, portal: Portal, { repoRoot, testFolder, onStop }: GeneralRoutesOptions): void {
  add('/config', (c) => c.json({ repoRoot }));

  add('/test', (c) => c.json({ message: 'Hello, world!' }));

  add('/stop', async (c) => {
    await portal.stop();
    c.env.outgoing.once('close', onStop);
    return c.json({}, 200, { Connection: 'close' });
  });

  if (testFolder === undefined) return;
  add('/copilot/test/installJobsEntry', async (c) => {
    const path = await realPathIn(testFolder, bodyOf(c, pathBody));
    if (path === undefined) return c.json({ result: 'InvalidatePath', error: `The file must be in ${testFolder}.` });
    let entry;
    try {
      entry = validateEntry(JSON.parse(await readFile(path, 'utf8')));
      portal.sessions.check(entry);
    } catch (error) {
      return c.json({ result: 'InvalidateEntry', error: messageOf(error) });
    }
    if (portal.isRunning) return c.json({ result: 'Rejected', error: 'A session is running. Stop it first.' });
    portal.installEntry(entry);
    return c.json({ result: 'OK' });
  });
}
