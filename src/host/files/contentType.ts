/** The content type of a file, by its name or else by its first bytes. */
import { extname } from 'node:path';

const byExtension: Readonly<Record<string, string>> = {
  '.bmp': 'image/bmp',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** First bytes of files, in hexadecimal. */
const bySignature: readonly [start: string, contentType: string][] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['47494638', 'image/gif'],
  ['25504446', 'application/pdf'],
  ['504b0304', 'application/zip'],
];

/** `isText`: the bytes are valid UTF-8. */
export function contentTypeOf(path: string, data: Uint8Array, isText: boolean): string {
  const known = byExtension[extname(path).toLowerCase()];
  if (known) return known;
  const start = Buffer.from(data.subarray(0, 8)).toString('hex');
  return bySignature.find(([signature]) => start.startsWith(signature))?.[1] ?? (isText ? 'text/plain' : 'application/octet-stream');
}
