/** A small picture of an attached image, in place of its icon. What is not read as an image is never drawn. */
import { useEffect, useState } from 'preact/hooks';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { uriOf } from '../../../views/session/composer/attachments.ts';
import { imageTypeOf, MAX_IMAGE_TEXT } from '../../../views/session/composer/images.ts';
import { request } from '../page/requests.ts';
import { useSession } from '../page/sessionContext.tsx';
import { isDataImage } from '../../../views/text/dataImage.ts';
import { Icon } from './Icon.tsx';

export function ImageThumb({ image }: { image: MessageAttachment }) {
  const { post } = useSession();
  const uri = uriOf(image);
  const [read, setRead] = useState<string>();
  useEffect(() => {
    if (uri === undefined) return undefined;
    let wanted = true;
    request(post, 'readImage', { uri }).then(
      (found) => wanted && setRead(sourceOf(found)),
      () => wanted && setRead(undefined),
    );
    return () => {
      wanted = false;
    };
  }, [post, uri]);
  const source = image.type === 'embeddedResource' && 'data' in image ? embedded(image) : read;
  return source !== undefined && isDataImage(source) ? <img class="thumb" src={source} alt="" /> : <Icon name="file-media" />;
}

/** A host may embed anything and call it an image. */
function embedded({ data }: { data: string }): string | undefined {
  if (data.length > MAX_IMAGE_TEXT) return undefined;
  const start = /^[A-Za-z0-9+/]{16}/.exec(data)?.[0];
  const contentType = start && imageTypeOf(Uint8Array.from(atob(start), (character) => character.charCodeAt(0)));
  return contentType && sourceOf({ contentType, data });
}

function sourceOf({ contentType, data }: { contentType: string; data: string }): string {
  return `data:${contentType};base64,${data}`;
}
