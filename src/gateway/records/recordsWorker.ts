/** The thread that has the file of records open, so that the gateway does not wait for the disk. Started with {@link RecordsStart} as its data. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import type { KeptRecord, RecordInput, RecordQuery } from '../../tap/wire/records/record.ts';
import { type RecordBounds, RecordFile, RecordsNotOurs } from './recordFile.ts';

export interface RecordsStart {
  path: string;
  bounds: RecordBounds;
}
export type RecordsRequest = { id: number } & (
  { kind: 'add'; records: RecordInput[] } | { kind: 'query'; query: RecordQuery } | { kind: 'close' }
);
/** `id`: of the request that it answers. The one without comes when the file is open, or cannot be. */
export interface RecordsAnswer {
  id?: number;
  error?: string;
  /** Nothing is written any more, because the file is not this gateway's. */
  isOver?: boolean;
  found?: KeptRecord[];
  /** How large the file is. */
  bytes?: number;
  aside?: { path: string; why: string };
}

const { path, bounds } = workerData as RecordsStart;
const port = parentPort;
if (!port) throw new Error('this is run as a worker');
const answer = (message: RecordsAnswer) => port.postMessage(message);

try {
  const file = new RecordFile(path, bounds, (aside, why) => answer({ aside: { path: aside, why } }));
  file.trim(Date.now());
  answer({ bytes: file.bytes });
  port.on('message', (request: RecordsRequest) => handle(file, request));
} catch (error) {
  if (!(error instanceof RecordsNotOurs)) throw error;
  answer({ error: messageOf(error), isOver: true });
}

function handle(file: RecordFile, request: RecordsRequest): void {
  const { id } = request;
  try {
    switch (request.kind) {
      case 'add':
        file.add(request.records, Date.now());
        return answer({ id, bytes: file.bytes });
      case 'query':
        return answer({ id, found: file.query(request.query) });
      case 'close':
        file.close();
        answer({ id });
        return port?.close();
    }
  } catch (error) {
    answer({ id, error: messageOf(error), isOver: error instanceof RecordsNotOurs });
  }
}
