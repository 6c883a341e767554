import { outsideLink } from '../../../views/portal/outsideLink.ts';
import { resultRequest, resultShape } from '../../../views/portal/result/resultQuestions.ts';
import type { ResultPort } from '../../jobs/result/texts/resultPort.ts';
import { ask } from '../portalApi.ts';

/** The result of a run, as the portal serves it to its page. */
export function portalResult(jobId: string): ResultPort {
  return {
    ask: (question, given, signal) => {
      const { path, ...request } = resultRequest(jobId, question, given);
      return ask(path, resultShape(question), { ...request, ...(signal && { signal }) });
    },
    linkOf: (href) => outsideLink(href, location.href),
    openLink: (address) => void window.open(address, '_blank', 'noopener,noreferrer'),
  };
}
