/** Makes pictures smaller in a worker, which ends with each: a photo takes some 50 MB of memory, and a second. */
import * as l10n from '../../base/l10n.ts';
import { messageOf, TimeoutError, unlessAborted, withTimeout } from '../../base/errors.ts';
import { startWorker, workerError } from '../late/startWorker.ts';
import type { PictureAnswer, PictureRequest } from './smaller.ts';

const SCALE_MS = 30_000;

/** Rejects when the signal is aborted. */
export async function pictureMadeSmaller(request: PictureRequest, signal: AbortSignal): Promise<PictureAnswer> {
  const worker = await startWorker('pictureWorker.js').catch((error: unknown) => {
    throw failed(error);
  });
  try {
    const answer = new Promise<PictureAnswer | { failed: string }>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<PictureAnswer | { failed: string }>) => resolve(data);
      worker.onerror = (event) => reject(failed(workerError(event)));
    });
    worker.postMessage(request);
    const inTime = withTimeout(answer, SCALE_MS, 'Scaling').catch((error: unknown) => {
      throw error instanceof TimeoutError ? failed(l10n.t`It did not finish within ${SCALE_MS / 1000} s`) : error;
    });
    const answered = await unlessAborted(inTime, signal);
    if ('failed' in answered) throw new Error(answered.failed);
    return answered;
  } finally {
    worker.terminate();
  }
}

function failed(why: unknown): Error {
  return new Error(l10n.t`The worker that makes pictures smaller failed: ${messageOf(why)}`);
}
