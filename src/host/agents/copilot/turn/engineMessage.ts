/** The user's message in the form that the engine takes. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessageOptions } from '@github/copilot-sdk';
import type { MessageAttachment, UserMessage } from '../../../../ahp/v1/common.ts';

export type EngineMessage = Pick<MessageOptions, 'prompt' | 'displayPrompt' | 'attachments'>;

/** The engine would send images also to models that cannot see, which then refuse the whole conversation for good. */
const IMAGE = /\.(png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i;

/** `before` and `after` are texts for the model that the user does not see. */
export function engineMessage(
  { text, attachments = [] }: UserMessage,
  vision: boolean,
  before: readonly (string | undefined)[] = [],
  after: readonly string[] = [],
): EngineMessage {
  const isPassed = ({ uri }: MessageAttachment) => uri.startsWith('file:') && (vision || !IMAGE.test(uri));
  const others = attachments
    .filter((attachment) => !isPassed(attachment))
    .map(({ uri }) => (uri.startsWith('file:') ? `Attached, but you cannot see images: ${fileURLToPath(uri)}` : `Attached: ${uri}`));
  const prompt = [...before.filter((part) => part !== undefined), text, ...others, ...after].join('\n\n');
  const files = attachments.filter(isPassed);
  return {
    prompt,
    ...(prompt !== text && { displayPrompt: text }),
    ...(files.length > 0 && {
      // Always with a name: without one the engine cannot read its own record of an attachment.
      attachments: files.map(({ type, uri, displayName }) => {
        const path = fileURLToPath(uri);
        return { type: type === 'directory' ? 'directory' : 'file', path, displayName: displayName || basename(path) || path };
      }),
    }),
  };
}
