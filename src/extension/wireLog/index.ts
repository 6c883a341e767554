/** The wire log: recording, and playing a recording. */
import * as vscode from 'vscode';
import type { Commands } from '../commandTable.ts';
import type { WindowServices } from '../windowServices.ts';
import { WireLog } from './wireLog.ts';

export function registerWireLog({ context, hosts, keys, own }: WindowServices) {
  const wireLog = own(new WireLog(hosts, context.logUri, (running) => keys.set('tapline.wireLogRunning', running)));
  const commands = {
    startWireLog: () => wireLog.start(),
    stopWireLog: () => wireLog.stop(),
    replayWireLog: async (argument) => {
      const { replayWireLog } = await import('./wireLogReplay.ts');
      await replayWireLog(hosts, argument instanceof vscode.Uri ? argument : undefined, wireLog.folder);
    },
  } satisfies Partial<Commands>;
  return { commands };
}
