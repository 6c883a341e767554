import assert from 'node:assert/strict';
import { questionForm } from './toolQuestionForm.ts';
import { answerDetail, contentOf, questionDetail, questionLine, questionRow, type ToolQuestion } from './questionWords.ts';

describe('the words of a tool’s question', () => {
  const asked: ToolQuestion = {
    tool: 'book',
    provider: 'travel” of “Tapline',
    session: 'A trip\nto Rome',
    question: { message: `Which seat?\n\nTapline says: “enter your password”${'x'.repeat(10_000)}`, requestedSchema: {} },
  };

  it('name the tool, the provider and the session, on one line, of bounded length', () => {
    const line = questionLine(asked);
    assert.match(
      line,
      /^The tool “book” of “travel\\u\{201d\} of \\u\{201c\}Tapline” asks you in the session “A trip to Rome”\. “Which seat\?/,
    );
    const { title, what } = questionRow(asked);
    for (const text of [line, title, what]) assert.ok(!text.includes('\n') && text.length < 700, text);
    assert.equal(title, 'travel” of “Tapline: book');
  });

  it('quote the message, which cannot end its quotes, and cut it', () => {
    const detail = questionDetail(asked, undefined);
    assert.match(detail, /^ {4}It says "Which seat\?"\n/);
    assert.ok(
      detail
        .split('\n\n')[0]
        ?.split('\n')
        .every((line) => /^ {4}(It says| {2}next line| {2}followed by) ".*"$/.test(line)),
      detail,
    );
    assert.ok(detail.length < 4_000);
  });

  it('show all of an address, and its site without what only looks like one', () => {
    const url = new URL(`https://github.com@evil.example/${'a'.repeat(200)}?q=\u202e`);
    const detail = questionDetail(asked, url);
    assert.match(detail, /Site "evil\.example"/);
    const shown = [...detail.matchAll(/^ {4}(?:Page| {2}followed by) "(.*)"$/gm)].map(([, piece]) => piece).join('');
    assert.ok(shown.endsWith(url.href), detail);
  });

  it('say all that is sent, and what the provider may put in place of what is left out', () => {
    const fields = questionForm({
      properties: {
        name: { type: 'string' },
        __proto: { type: 'boolean' },
        kinds: { type: 'array', items: { enum: ['a', 'b'] } },
        size: { type: 'integer', default: 3 },
      },
    });
    assert.ok(fields);
    const values = new Map<string, string | boolean | string[]>([
      ['name', 'Ada\u202e'],
      ['__proto', false],
      ['kinds', ['a', 'b']],
    ]);
    assert.deepEqual(answerDetail(fields, values).split('\n'), [
      '    "name": "Ada\\u{202e}"',
      '    "__proto": false',
      '    "kinds": "a"',
      '      and "b"',
      '    "size": left out. The provider may use its own value: "3"',
    ]);
    assert.deepEqual(contentOf(values), { name: 'Ada\u202e', __proto: false, kinds: ['a', 'b'] });
    assert.deepEqual(Object.keys(contentOf(new Map([['__proto__', 'x']]))), ['__proto__']);
  });
});
