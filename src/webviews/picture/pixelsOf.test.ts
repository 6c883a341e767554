import assert from 'node:assert/strict';
import { pixelsOf } from './pixelsOf.ts';

describe('the pixels of a picture', () => {
  const of = (...bytes: (string | readonly number[])[]) =>
    pixelsOf(new Blob([Buffer.concat(bytes.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : Buffer.from(one))))]));
  const big = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const little = (value: number) => [value & 255, (value >>> 8) & 255];
  const none = (length: number) => Array.from({ length }, () => 0);

  it('are what each kind says in its first bytes', async () => {
    assert.equal(await of('\x89PNG\r\n\x1a\n', big(13), 'IHDR', big(30_000), big(40_000)), 1_200_000_000);
    const exif = [0xff, 0xe1, 0x01, 0x00, ...none(254)];
    assert.equal(await of([0xff, 0xd8], exif, [0xff, 0xff, 0xc2, 0, 17, 8, 0x03, 0xe8, 0x07, 0xd0]), 2_000_000);
    assert.equal(await of('RIFF', none(4), 'WEBPVP8 ', none(10), little(640), little(480)), 640 * 480);
    assert.equal(await of('RIFF', none(4), 'WEBPVP8L', none(4), [0x2f], [0xff, 0xff, 0xff, 0x0f]), 16_384 * 16_384);
    assert.equal(await of('RIFF', none(4), 'WEBPVP8X', none(8), [0x0f, 0x27, 0], [0x1f, 0x4e, 0]), 10_000 * 20_000);
    assert.equal(
      await of(none(4), 'ftypheic', none(20), 'ispe', none(4), big(512), big(512), 'ispe', none(4), big(4032), big(3024)),
      4032 * 3024,
    );
  });

  it('are those of the first frame of a GIF, where it is larger than the whole', async () => {
    const extension = [0x21, 0xf9, 4, 0, 0, 0, 0, 0];
    const frame = [0x2c, ...little(1), ...little(2), ...little(60_000), ...little(50_000)];
    assert.equal(await of('GIF89a', little(10), little(10), [0x80, 0, 0], none(6), extension, frame), 60_001 * 50_002);
    assert.equal(await of('GIF89a', little(800), little(600), [0, 0, 0], [0x2c], none(4), little(1), little(1)), 480_000);
  });

  it('are not known of anything else, or of what ends too soon', async () => {
    assert.equal(await of(''), undefined);
    assert.equal(await of('BM and more than that'), undefined);
    assert.equal(await of('\x89PNG\r\n\x1a\n'), undefined);
    assert.equal(await of('\x89PNG\r\n\x1a\n', big(13), 'IHDR', big(0), big(40_000)), undefined);
    assert.equal(await of([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]), undefined);
    assert.equal(await of([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 0, 7, 0xd0]), undefined, 'its height comes later');
    assert.equal(await of('RIFF', none(4), 'WEBPVP9 ', none(20)), undefined);
  });
});
