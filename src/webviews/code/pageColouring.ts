/** The worker of a page, which is loaded when the first code comes. */
import * as l10n from '@vscode/l10n';
import { startWorker } from '../late/startWorker.ts';
import { Colouring } from './colouring.ts';

export const pageColouring = new Colouring(() => startWorker('codeWorker.js', l10n.t('colours code')));
