/** How many pixels a picture has, as its first bytes say: a small file may come to gigabytes when it is decoded. */

/** Before the size of a photo there may be a small picture of it, and what the camera knows. */
const HEAD_BYTES = 1_000_000;

/** Undefined where that is not found. A decoder may read what is no picture of these kinds, but nobody knows beforehand how large it is. */
export async function pixelsOf(picture: Blob): Promise<number | undefined> {
  const head = new DataView(await picture.slice(0, HEAD_BYTES).arrayBuffer());
  try {
    const size = sizeIn(head);
    return size && size[0] > 0 && size[1] > 0 ? size[0] * size[1] : undefined;
  } catch (error) {
    // It ends before its size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Size = [width: number, height: number];

function sizeIn(head: DataView): Size | undefined {
  if (textAt(head, 1, 3) === 'PNG') return [head.getUint32(16), head.getUint32(20)];
  if (head.getUint16(0) === 0xffd8) return ofJpeg(head);
  if (textAt(head, 0, 4) === 'GIF8') return ofGif(head);
  if (textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 4) === 'WEBP') return ofWebp(head);
  if (textAt(head, 4, 4) === 'ftyp') return ofHeif(head);
  return undefined;
}

/** In the first segment that begins a frame. */
function ofJpeg(head: DataView): Size | undefined {
  for (let at = 2; ;) {
    if (head.getUint8(at) !== 0xff) return undefined;
    const marker = head.getUint8(at + 1);
    if (marker === 0xff) at++;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [head.getUint16(at + 7), head.getUint16(at + 5)];
    else at += 2 + head.getUint16(at + 2);
  }
}

/** Its first frame may be larger than what it says of itself. */
function ofGif(head: DataView): Size | undefined {
  const colours = (at: number) => (head.getUint8(at) & 0x80 ? 3 * 2 ** ((head.getUint8(at) & 7) + 1) : 0);
  let at = 13 + colours(10);
  while (head.getUint8(at) === 0x21) {
    at += 2;
    while (head.getUint8(at) > 0) at += head.getUint8(at) + 1;
    at++;
  }
  if (head.getUint8(at) !== 0x2c) return undefined;
  const little = (place: number) => head.getUint16(place, true);
  return [Math.max(little(6), little(at + 1) + little(at + 5)), Math.max(little(8), little(at + 3) + little(at + 7))];
}

function ofWebp(head: DataView): Size | undefined {
  switch (textAt(head, 12, 4)) {
    case 'VP8 ':
      return [head.getUint16(26, true) & 0x3fff, head.getUint16(28, true) & 0x3fff];
    case 'VP8L': {
      const bits = head.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8X':
      return [(head.getUint32(24, true) & 0xffffff) + 1, (head.getUint32(26, true) >>> 8) + 1];
    default:
      return undefined;
  }
}

/** HEIC and AVIF, which may have several pictures. The largest counts. */
function ofHeif(head: DataView): Size | undefined {
  let largest: Size | undefined;
  for (let at = 8; at + 16 <= head.byteLength; at++) {
    if (head.getUint32(at) !== 0x69737065) continue;
    const size: Size = [head.getUint32(at + 8), head.getUint32(at + 12)];
    if (!largest || size[0] * size[1] > largest[0] * largest[1]) largest = size;
  }
  return largest;
}

function textAt(head: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, index) => head.getUint8(at + index)));
}
