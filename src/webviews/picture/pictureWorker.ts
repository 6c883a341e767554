/** Entry of the worker that makes a picture smaller. It says first that it is ready, and then what became of the picture. */
import { messageOf } from '../../base/errors.ts';
import { type PictureRequest, smallerPicture } from './smaller.ts';

const { postMessage: tell } = self as unknown as { postMessage(this: void, message: unknown): void };
self.addEventListener('message', ({ data }: MessageEvent<PictureRequest>) => {
  smallerPicture(data).then(tell, (error: unknown) => tell({ failed: messageOf(error) }));
});
tell('ready');
