/** Other agent hosts of an entry: where a task runs, and in which folder there. */
import * as z from 'zod';
import { hostNamePattern } from '../../base/connection/hostNames.ts';

/** As in the list of hosts of the portal. */
export const hostName = z.string().regex(hostNamePattern, 'must be a name, on one line and without spaces around it');

/** On another computer: `/` and the drives of Windows, whatever this one has. */
const absolutePath = /^(?:\/|[A-Za-z]:[\\/])[^\0]*$/;

const place = z.strictObject({
  folder: z
    .string()
    .regex(absolutePath, 'must be an absolute path')
    .optional()
    .describe('The folder of the jobs at this host, an absolute path there. Absent: the path of the folder of the job.'),
});

export const hosts = z.record(hostName, place).describe('Other agent hosts by name, as in the list of the portal.');
export type Hosts = z.infer<typeof hosts>;
