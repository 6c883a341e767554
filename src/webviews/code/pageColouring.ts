/** The worker of a page, which is loaded when the first code comes. */
import { startWorker } from '../late/startWorker.ts';
import { Colouring } from './colouring.ts';

export const pageColouring = new Colouring(() => startWorker('codeWorker.js'));
