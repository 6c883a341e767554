/** Entry of the worker that colours code. It gets a request at a time, and says first that it is ready, and then what it found for each. */
import type { ColourRequest } from './codeParts.ts';
import { runsOf } from './grammars.ts';

const { postMessage: tell } = self as unknown as { postMessage(this: void, message: unknown): void };
self.addEventListener('message', ({ data }: MessageEvent<ColourRequest>) => tell(runsOf(data)));
tell('ready');
