import type { AskEmitters } from '../../../views/emitters/emitterRequest.ts';
import { request } from '../page/pageRequests.ts';
import type { SessionPort } from '../page/sessionPort.ts';

export function askEmitters(post: SessionPort['post']): AskEmitters {
  return (asked) => request(post, 'emitters', asked) as Promise<never>;
}
