/** A person's message as the engine takes it. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessageOptions } from '@github/copilot-sdk';
import type { MessageAttachment, UserMessage } from '../../../../ahp/v1/common.ts';

export type EngineMessage = Pick<MessageOptions, 'prompt' | 'displayPrompt' | 'attachments'>;

/** The engine sends images to models that cannot see too, which then refuse the whole conversation for good. */
const IMAGE = /\.(png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i;

/** `before` is what the model hears first, without it being shown. */
export function engineMessage(
  { text, attachments = [] }: UserMessage,
  vision: boolean,
  before: readonly (string | undefined)[] = [],
): EngineMessage {
  const isPassed = ({ uri }: MessageAttachment) => uri.startsWith('file:') && (vision || !IMAGE.test(uri));
  const others = attachments
    .filter((attachment) => !isPassed(attachment))
    .map(({ uri }) => (uri.startsWith('file:') ? `Attached, but you cannot see images: ${fileURLToPath(uri)}` : `Attached: ${uri}`));
  const prompt = [...before.filter((part) => part !== undefined), text, ...others].join('\n\n');
  const files = attachments.filter(isPassed);
  return {
    prompt,
    ...(prompt !== text && { displayPrompt: text }),
    ...(files.length > 0 && {
      // Always with a name: the engine cannot read its own record of an attachment without one.
      attachments: files.map(({ type, uri, displayName }) => {
        const path = fileURLToPath(uri);
        return { type: type === 'directory' ? 'directory' : 'file', path, displayName: displayName || basename(path) || path };
      }),
    }),
  };
}
