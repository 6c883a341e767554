/** A small picture of an attached image, in place of its icon, read once it comes near. What is not read as an image is never drawn. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { uriOf } from '../../../views/session/composer/attachments.ts';
import { imageTypeOf, MAX_IMAGE_TEXT } from '../../../views/session/composer/imageTypes.ts';
import { request } from '../page/pageRequests.ts';
import { useSession } from '../page/sessionContext.tsx';
import { isDataImage } from '../../../views/text/dataImage.ts';
import { Icon } from './Icon.tsx';

export function ImageThumb({ image }: { image: MessageAttachment }) {
  const { post } = useSession();
  const uri = uriOf(image);
  const place = useRef<HTMLSpanElement>(null);
  const isNear = useNear(place);
  const [read, setRead] = useState<string>();
  useEffect(() => {
    if (uri === undefined || !isNear) return undefined;
    let wanted = true;
    request(post, 'readImage', { uri }).then(
      (found) => wanted && setRead(sourceOf(found)),
      () => wanted && setRead(undefined),
    );
    return () => {
      wanted = false;
    };
  }, [post, uri, isNear]);
  const source = image.type === 'embeddedResource' && 'data' in image ? embedded(image) : read;
  return (
    <span ref={place} class="thumb-place">
      {source !== undefined && isDataImage(source) ? <img class="thumb" src={source} alt="" /> : <Icon name="file-media" />}
    </span>
  );
}

/** True from when it first comes near what is in view. A long chat has many pictures, and each is read from the host. */
function useNear(place: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!place.current || isNear) return undefined;
    const look = (entries: IntersectionObserverEntry[]) => entries.some((one) => one.isIntersecting) && setNear(true);
    const observer = new IntersectionObserver(look, { root: place.current.closest('.transcript'), rootMargin: '600px' });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place, isNear]);
  return isNear;
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
