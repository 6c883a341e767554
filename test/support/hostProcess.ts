/** The built agent host as a real process in the foreground. */
import { join } from 'node:path';
import { type PrintingProcess, startPrintingProcess } from './printingProcess.ts';

export const hostScript = join(import.meta.dirname, '../../dist/host.cjs');

interface Said {
  url: string;
  token: string;
}
export type HostProcess = Omit<PrintingProcess<Said>, 'said'> & Readonly<Said>;

export async function startHostProcess(args: string[] = [], script = hostScript): Promise<HostProcess> {
  const { said, ...host } = await startPrintingProcess<Said>('host', script, args);
  return { ...host, url: said.url, token: said.token };
}
