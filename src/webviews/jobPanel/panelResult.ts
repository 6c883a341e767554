import type { ResultAnswer, ResultQuestion } from '../../views/portal/result/resultQuestions.ts';
import type { ResultPort } from '../jobs/result/texts/resultPort.ts';
import type { JobPageMessage } from './protocol.ts';
import type { NewRequest, Requests } from './requests.ts';

/** The result of a run, through the extension, which opens its files in VS Code. `show`: asks for something that is shown elsewhere. */
export function panelResult(
  jobId: string,
  requests: Requests,
  show: (asked: NewRequest) => void,
  post: (message: JobPageMessage) => void,
): ResultPort {
  return {
    async ask<Q extends ResultQuestion>(question: Q, body: object, signal?: AbortSignal) {
      const { result } = await requests.ask({ type: 'result', jobId, question, body } as NewRequest, signal);
      // The extension has checked it.
      return result as ResultAnswer<Q>;
    },
    vsCode: {
      showChange: (change) => show({ type: 'showChange', jobId, change }),
      open: (file) => show({ type: 'openFile', jobId, file }),
      offers: (deeds) => post({ type: 'offers', jobId, deeds: [...deeds] }),
    },
    linkOf: (href) => (/^(?:https?|mailto):/i.test(href) ? href : undefined),
    openLink: (address) => post({ type: 'openLink', address }),
  };
}
