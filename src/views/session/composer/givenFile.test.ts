import assert from 'node:assert/strict';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import {
  fileProblem,
  fullOfPictures,
  MAX_TEXT_BYTES,
  mayFitSmaller,
  needsAnotherForm,
  notMadeSmaller,
  pictureProblem,
  pictureRoom,
  roomFor,
  roomProblem,
  textProblem,
} from './givenFile.ts';

describe('files that go along in a message', () => {
  const embedded = (size: number, contentType = 'image/png'): MessageAttachment => ({
    type: 'embeddedResource',
    label: 'a',
    data: 'A'.repeat(Math.ceil((size * 4) / 3)),
    contentType,
  });
  const file = (name: string): MessageAttachment => ({ type: 'resource', uri: `file:///w/${name}`, label: name });
  const many = (count: number, one: MessageAttachment) => Array.from({ length: count }, () => one);

  it('are read by the page only where they may be attached', () => {
    for (const [name, type, size] of [
      ['a.png', 'image/png', 4_000_000],
      ['a.ts', 'video/mp2t', 10],
      ['a.svg', 'image/svg+xml', MAX_TEXT_BYTES],
      ['Makefile', '', 10],
    ] as const)
      assert.equal(fileProblem({ name, type, size }), undefined, name);
    assert.match(
      fileProblem({ name: 'a.png', type: 'image/png', size: 60_000_000 }) ?? '',
      /has 60 MB, and a picture may have at most 50 MB/,
    );
    assert.equal(
      fileProblem({ name: 'a\nb.log', type: 'text/plain', size: MAX_TEXT_BYTES + 1_000 }),
      '“a b.log” was not attached: it has 201 kB, and here a file may have at most 200 kB. ' +
        'Put it into the folder of the session, and type # to attach it.',
    );
    assert.match(fileProblem({ name: 'a.txt', type: 'text/plain', size: 0 }) ?? '', /nothing in it/);
  });

  it('are pictures that become smaller ones, or of another type', () => {
    const picture = (type: string, size: number) => ({ name: 'a.x', type, size });
    assert.equal(roomFor([]), 2_000_000);
    assert.equal(roomFor([embedded(900_000), file('b.png')]), 1_100_000);
    assert.ok(!needsAnotherForm(picture('image/png', 1_100_000), 1_100_000));
    assert.ok(needsAnotherForm(picture('image/png', 1_100_001), 1_100_000));
    assert.ok(needsAnotherForm(picture('image/heic', 10), 1_100_000));
    assert.ok(!needsAnotherForm(picture('text/plain', 1_100_001), 1_100_000));
    assert.ok(!needsAnotherForm(picture('image/svg+xml', 1_100_001), 1_100_000));
    assert.match(pictureProblem(picture('image/heic', 10), 'unreadable'), /only PNG, JPEG, GIF and WebP images can be/);
    assert.match(pictureProblem(picture('image/png', 10), 'unreadable'), /^“a.x” was not attached: it is too large, and could not be read/);
    assert.match(pictureProblem(picture('image/png', 10), 'noRoom'), /may have 2 MB together, and there is no room for it any more/);
  });

  it('are pictures as they are, unless there is no room for them', () => {
    const picture = { name: 'a.png', type: 'image/png', size: 3_000_000 };
    assert.ok(!needsAnotherForm(picture, pictureRoom([], false)), 'it may be stored beside the message');
    assert.ok(needsAnotherForm({ ...picture, size: 5_000_001 }, pictureRoom([], false)));
    assert.ok(needsAnotherForm(picture, pictureRoom([], true)));
    assert.ok(mayFitSmaller([], picture, embedded(3_000_000)));
    assert.ok(!mayFitSmaller([], picture, file('a.png')));
    assert.ok(!mayFitSmaller([embedded(2_000_000)], picture, embedded(3_000_000)), 'nothing has room there');
    assert.ok(!mayFitSmaller([], { ...picture, type: 'text/plain' }, embedded(3_000_000)));
    assert.match(fullOfPictures([embedded(2_000_001)], picture, true) ?? '', /no room for it any more/);
    assert.equal(fullOfPictures([embedded(2_000_001)], picture, false), undefined);
    assert.match(fullOfPictures(many(10, file('a.png')), picture, false) ?? '', /may have 10 images/);
    assert.equal(fullOfPictures(many(10, file('a.png')), { ...picture, type: 'text/plain' }, true), undefined);
    assert.equal(
      notMadeSmaller('x\ny.jpg', 'It took\ntoo long'),
      '“x y.jpg” was not attached: it could not be made smaller. It took too long',
    );
    assert.match(pictureProblem(picture, 'tooManyPixels'), /“a.png” was not attached: it has more than 100 megapixels/);
  });

  it('are texts where they are no images', () => {
    assert.equal(textProblem({ name: 'a.ts', size: 5, text: 'x = 1' }), undefined);
    for (const text of [undefined, 'a\0b'])
      assert.match(textProblem({ name: 'a.zip', size: 5, text }) ?? '', /“a.zip” was not attached: here only texts and PNG/);
    assert.match(textProblem({ name: 'a.ts', size: MAX_TEXT_BYTES + 1, text: 'x' }) ?? '', /at most 200 kB/);
  });

  it('have a size together, and a number', () => {
    assert.equal(roomProblem([embedded(1_000_000)], embedded(900_000)), undefined);
    assert.match(roomProblem([embedded(1_500_000)], embedded(900_000)) ?? '', /goes along in a message may have 2 MB together/);
    assert.equal(roomProblem([embedded(1_999_000)], file('b.png')), undefined, 'a file takes no room');
    assert.equal(roomProblem(many(19, embedded(10, 'text/plain')), embedded(10, 'text/plain')), undefined);
    assert.match(roomProblem(many(20, embedded(10, 'text/plain')), embedded(10, 'text/plain')) ?? '', /20 files may go along/);
    assert.match(roomProblem(many(10, file('a.png')), file('b.png')) ?? '', /may have 10 images/);
    assert.equal(roomProblem(many(10, file('a.ts')), file('b.png')), undefined);
  });
});
