/** A file of which a page has only what is in it, as an attachment. */
import * as l10n from '../../base/l10n.ts';
import type { MessageAttachment } from '../../ahp/channels/shapes/message.ts';
import { UserError } from '../../base/errors.ts';
import { utf8Of } from '../../base/text/utf8.ts';
import { givenName, textProblem } from '../../views/session/composer/givenFile.ts';
import { MAX_IMAGE_TEXT } from '../../views/session/composer/imageTypes.ts';
import type { ShownHost } from '../shownHost.ts';
import { type GivenImage, givenImage, imageInMessage } from './messageImages.ts';

/** `data`: base64. `ofImage`: what becomes of an image; absent, it goes along in the message. Rejects with a `UserError` for what cannot be attached. */
export async function attachContent(
  host: Pick<ShownHost, 'client' | 'label'>,
  given: { name: string; data: string },
  ofImage = (image: GivenImage): MessageAttachment | Promise<MessageAttachment> => imageInMessage(host, image),
): Promise<MessageAttachment> {
  // One more than the largest, so that what is too large is seen.
  const bytes = Buffer.from(given.data.slice(0, MAX_IMAGE_TEXT + 4), 'base64');
  const name = givenName(given.name);
  const image = givenImage(name, bytes);
  return image ? ofImage(image) : textInMessage(host, name, bytes);
}

function textInMessage({ client, label }: Pick<ShownHost, 'client' | 'label'>, name: string, bytes: Buffer): MessageAttachment {
  const problem = textProblem({ name, size: bytes.length, text: utf8Of(bytes) });
  if (problem !== undefined) throw new UserError(problem);
  if (client.dialect?.name !== 'channels')
    throw new UserError(
      l10n.t`${label} takes no files in messages. Put the file into the folder of the session there, and type # to attach it.`,
    );
  return { type: 'embeddedResource', label: name, displayKind: 'file', contentType: 'text/plain', data: bytes.toString('base64') };
}
