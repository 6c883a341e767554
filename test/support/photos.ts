/** Photos as a camera makes them, in a page. */
import type { Locator, Page } from 'playwright-core';

/**
 * Base64 of a JPEG of over 2 MB, which the camera has taken lying on its side: its upper half is to be bright, its lower half dark. The marks for
 * that stand in it as cameras write them.
 */
export async function largePhoto(page: Page): Promise<string> {
  const plain = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1800, 1200);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    const image = context.createImageData(1800, 1200);
    let seed = 1;
    for (let at = 0; at < image.data.length; at += 4) {
      // Of a photo that is to be turned to the right, what is left comes to the top.
      const isBright = (at / 4) % 1800 < 900;
      for (let channel = 0; channel < 3; channel++) {
        seed = (seed * 16807) % 2147483647;
        image.data[at + channel] = (isBright ? 215 : 0) + (seed % 40);
      }
      image.data[at + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 1 });
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
      reader.readAsDataURL(blob);
    });
  });
  const bytes = Buffer.from(plain, 'base64');
  return Buffer.concat([bytes.subarray(0, 2), turned, bytes.subarray(2)]).toString('base64');
}

/** EXIF with one entry: orientation 6, to be turned to the right by a quarter. */
const turned = (() => {
  const entries = Buffer.from('4d4d002a00000008' + '0001' + '0112000300000001' + '00060000' + '00000000', 'hex');
  const body = Buffer.concat([Buffer.from('Exif\0\0'), entries]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
})();

/** Pastes them into the element, or drops them on it. `data`: base64. */
export function giveBytes(
  element: Locator,
  how: 'paste' | 'drop',
  files: readonly { name: string; type: string; data: string }[],
): Promise<void> {
  return element.evaluate(
    (target, [event, given]) => {
      const data = new DataTransfer();
      for (const one of given) {
        const text = atob(one.data);
        const bytes = new Uint8Array(text.length);
        // Quicker by far than `Uint8Array.from`.
        for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
        data.items.add(new File([bytes], one.name, { type: one.type }));
      }
      const init = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        event === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data }),
      );
    },
    [how, files] as const,
  );
}

/** What a picture looks like: its size, and how bright it is at the top and at the bottom. `data`: base64 of a JPEG. */
export function looksLike(page: Page, data: string): Promise<{ width: number; height: number; top: number; bottom: number }> {
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);
    const [top, bottom] = [1, 9].map((tenth) => context.getImageData(width >> 1, Math.floor((height * tenth) / 10), 1, 1).data[0]);
    return { width, height, top: top ?? 0, bottom: bottom ?? 0 };
  }, data);
}

/** In the page: `longTasks` has the ms of each from now on. */
export function watchLongTasks(): void {
  const tasks: number[] = [];
  Object.assign(window, { longTasks: tasks });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
}
