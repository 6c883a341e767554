/** Makes a picture smaller, so that it has room in a message. */
import type { PictureProblem } from '../../views/session/composer/givenFile.ts';
import { pixelsOf } from './pixelsOf.ts';

/** Pixels of the longer side, tried in this order. Models see no more than the first. */
const SIDES = [2048, 1568, 1024, 768, 512];
const QUALITY = 0.85;
/** Of one that is decoded. It takes four bytes for each. */
const MAX_PIXELS = 100_000_000;

export interface PictureRequest {
  picture: Blob;
  /** Bytes that the result may have. */
  room: number;
}
export type PictureAnswer = { smaller: Blob } | { problem: PictureProblem };

/** As a JPEG, upright and without what the camera has written into it, such as the place. */
export async function smallerPicture({ picture, room }: PictureRequest): Promise<PictureAnswer> {
  if (room <= 0) return { problem: 'noRoom' };
  const pixels = await pixelsOf(picture);
  if (pixels === undefined) return { problem: 'unreadable' };
  if (pixels > MAX_PIXELS) return { problem: 'tooManyPixels' };
  // Not every browser turns it as the camera was held unless it is asked to.
  const bitmap = await createImageBitmap(picture, { imageOrientation: 'from-image' }).catch(() => undefined);
  if (!bitmap) return { problem: 'unreadable' };
  try {
    for (const side of SIDES) {
      const smaller = await jpegOf(bitmap, side);
      if (!smaller) return { problem: 'notDrawn' };
      if (smaller.size <= room) return { smaller };
    }
    return { problem: 'noRoom' };
  } finally {
    bitmap.close();
  }
}

/** Undefined where the browser draws nothing. */
async function jpegOf(bitmap: ImageBitmap, side: number): Promise<Blob | undefined> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((length) => Math.max(1, Math.round(length * scale))) as [number, number];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return undefined;
  // A JPEG has nothing that can be seen through, and what is behind would be black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}
