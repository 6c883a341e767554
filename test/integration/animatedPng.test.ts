/** The animations of the documents. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { launchBrowser } from '../../tools/vscode-web/browser.mjs';
import { animatedPng, chunksOf, TIMES_PLAYED } from '../support/animatedPng.ts';

const pictures = join(import.meta.dirname, '../../docs/pictures');
const MOST_BYTES = 2 * 1024 * 1024;

describe('An animated PNG', () => {
  it('has every frame as a browser decodes it, each for its time', async function () {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 40, height: 20 } });
      // Browsers decode frames for pages of a secure origin only.
      await page.route('https://films.example/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      await page.goto('https://films.example/');
      const frames = [];
      for (const [color, ms] of [
        ['rgb(255, 0, 0)', 100],
        ['rgb(0, 0, 255)', 250],
      ] as const) {
        await page.evaluate((background) => (document.documentElement.style.background = background), color);
        frames.push({ png: await page.screenshot(), ms });
      }
      const decoded = await page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        const decoder = new ImageDecoder({ data: bytes, type: 'image/png' });
        await Promise.all([decoder.completed, decoder.tracks.ready]);
        const found = [];
        for (let frameIndex = 0; frameIndex < (decoder.tracks.selectedTrack?.frameCount ?? 0); frameIndex++) {
          const { image } = await decoder.decode({ frameIndex });
          const context = new OffscreenCanvas(40, 20).getContext('2d')!;
          context.drawImage(image, 0, 0);
          found.push([[...context.getImageData(5, 5, 1, 1).data], (image.duration ?? 0) / 1000]);
        }
        return found;
      }, animatedPng(frames).toString('base64'));
      assert.deepEqual(decoded, [
        [[255, 0, 0, 255], 100],
        [[0, 0, 255, 255], 250],
      ]);
    } finally {
      await browser.close();
    }
  });

  it('is made of pictures of one size only', () => {
    const picture = (width: number) => {
      const header = Buffer.alloc(25);
      header.writeUInt32BE(13, 0);
      header.write('IHDR', 4, 'latin1');
      header.writeUInt32BE(width, 8);
      const data = deflateSync(Buffer.alloc(4));
      const body = Buffer.alloc(12 + data.length);
      body.writeUInt32BE(data.length, 0);
      body.write('IDAT', 4, 'latin1');
      data.copy(body, 8);
      return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), header, body]);
    };
    const frame = (width: number) => ({ png: picture(width), ms: 1 });
    assert.throws(() => animatedPng([frame(1), frame(2)]), /one size/);
    assert.throws(() => animatedPng([]), /one size/);
    assert.deepEqual(
      chunksOf(animatedPng([frame(1), frame(1)])).map(({ type }) => type),
      ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'],
    );
  });

  it('of the documents is small enough to be loaded with the page, and comes to an end', () => {
    const animated = readdirSync(pictures).flatMap((name) => {
      const control = chunksOf(readFileSync(join(pictures, name))).find(({ type }) => type === 'acTL');
      return control ? [{ name, played: control.data.readUInt32BE(4) }] : [];
    });
    assert.deepEqual(animated, [{ name: 'approve.png', played: TIMES_PLAYED }]);
    for (const { name } of animated) assert.ok(statSync(join(pictures, name)).size < MOST_BYTES, name);
  });
});
