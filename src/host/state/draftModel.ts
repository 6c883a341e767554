/** What is written in a chat and not sent. It names the model that the next message goes to. */
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';

/** The draft with another model, and its text as it is. */
export function withModel(draft: Message | undefined, model: ModelSelection): Message {
  return { ...(draft ?? { text: '', origin: { kind: 'user' } }), model };
}
