/** Makes pictures smaller in a worker, which ends with each: a photo takes some 50 MB of memory, and a second. */
import * as l10n from '@vscode/l10n';
import { unlessAborted, withTimeout } from '../../base/errors.ts';
import { startWorker, workerError } from '../late/startWorker.ts';
import type { PictureAnswer, PictureRequest } from './smaller.ts';

const SCALE_MS = 30_000;

/** Rejects when the signal is aborted. */
export async function pictureMadeSmaller(request: PictureRequest, signal: AbortSignal): Promise<PictureAnswer> {
  const worker = await startWorker('pictureWorker.js', l10n.t('makes pictures smaller'));
  try {
    const answer = new Promise<PictureAnswer | { failed: string }>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<PictureAnswer | { failed: string }>) => resolve(data);
      worker.onerror = (event) => reject(workerError(event, l10n.t('makes pictures smaller')));
    });
    worker.postMessage(request);
    const answered = await unlessAborted(withTimeout(answer, SCALE_MS, l10n.t('making the picture smaller')), signal);
    if ('failed' in answered) throw new Error(answered.failed);
    return answered;
  } finally {
    worker.terminate();
  }
}
