import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StreamedText } from './streamedText.ts';

function streamed(): { text: StreamedText; shown: () => string } {
  let shown = '';
  const text = new StreamedText(
    (more) => (shown += more),
    () => (shown += '|'),
  );
  return { text, shown: () => shown };
}

describe('StreamedText', () => {
  it('shows what streams, and what did not stream', () => {
    const { text, shown } = streamed();
    text.delta('1', 'a');
    text.delta('1', 'b');
    text.complete('1', 'abc');
    text.complete('2', 'def');
    assert.equal(shown(), 'abcdef');
  });

  it('does not take the next message for another attempt', () => {
    const { text, shown } = streamed();
    text.delta('1', 'same');
    text.complete('1', 'same');
    text.delta('2', 'same');
    text.complete('2', 'same');
    assert.equal(shown(), 'samesame');
  });

  it('shows an attempt again when it goes another way, or ends sooner', () => {
    const { text, shown } = streamed();
    text.delta('1', 'one');
    text.break();
    text.delta('2', 'o');
    text.delta('2', 'ther');
    text.complete('2', 'other');
    assert.equal(shown(), 'one|other');
    text.delta('3', 'long');
    text.break();
    text.delta('4', 'lo');
    text.complete('4', 'lo');
    assert.equal(shown(), 'one|otherlong|lo');
  });

  it('shows an answer once, however often and wherever it breaks', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.array(fc.nat(5), { maxLength: 6 }), { maxLength: 5 }), (answer, attempts) => {
        const { text, shown } = streamed();
        const send = (id: string, lengths: number[]) => {
          let at = 0;
          for (const length of lengths) {
            text.delta(id, answer.slice(at, at + length));
            at += length;
          }
        };
        attempts.forEach((lengths, index) => {
          send(`attempt ${index}`, lengths);
          text.break();
        });
        text.complete('last', answer);
        return shown() === answer;
      }),
    );
  });
});
