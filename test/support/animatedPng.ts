/**
 * Puts pictures of one size together to an animated PNG, which browsers, GitHub and VS Code show. Their compressed data is taken as it is, so that
 * no encoder is needed. https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
import { crc32 } from 'node:zlib';

export interface Frame {
  readonly png: Buffer;
  readonly ms: number;
}

/** Then it stays at its last frame. A film that never ends takes attention from the text beside it. */
export const TIMES_PLAYED = 2;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}

export function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('This is no PNG.');
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32BE(value, 4 * at));
  return bytes;
};

/** Throws where the pictures are not of one size and kind. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const headers = frames.map(({ png }) => chunksOf(png)[0]!.data);
  const [header] = headers;
  if (!header || headers.some((other) => !other.equals(header))) throw new Error('The frames are not of one size and kind.');
  let sequence = 0;
  const control = (ms: number) => {
    const parts = Buffer.alloc(6);
    parts.writeUInt16BE(ms, 0);
    parts.writeUInt16BE(1000, 2);
    return chunk('fcTL', Buffer.concat([uint32(sequence++, header.readUInt32BE(0), header.readUInt32BE(4), 0, 0), parts]));
  };
  const drawn = frames.flatMap(({ png, ms }, at) => [
    control(ms),
    ...chunksOf(png)
      .filter(({ type }) => type === 'IDAT')
      .map(({ data }) => (at === 0 ? chunk('IDAT', data) : chunk('fdAT', Buffer.concat([uint32(sequence++), data])))),
  ]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('acTL', uint32(frames.length, TIMES_PLAYED)),
    ...drawn,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
