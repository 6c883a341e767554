import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import { type ExportedSession, joined } from './exportedSession.ts';
import { answered, closed, escaped, fenced, quoted } from './markdownSafe.ts';
import { sessionJson } from './sessionJson.ts';
import { sessionMarkdown } from './sessionMarkdown.ts';

const markdown = new MarkdownIt({ html: true });
/** Of the headings of the document, at its top level. */
const headings = (text: string) => {
  const tokens = markdown.parse(text, {});
  return tokens.flatMap(({ type, level }, index) => (type === 'heading_open' && level === 0 ? [tokens[index + 1]?.content] : []));
};
const markdownPart = (content: string) => ({ kind: 'markdown', id: 'm', content });
const call = (fields: object) => ({
  kind: 'toolCall',
  toolCall: {
    toolCallId: 'c',
    toolName: 'shell',
    displayName: 'Run command',
    status: 'completed',
    success: true,
    confirmed: 'user-action',
    ...fields,
  },
});
const turn = (text: string, ...responseParts: object[]) => ({
  ...{ id: 't', message: { text, origin: { kind: 'user' } }, responseParts, state: 'complete' },
});
const session = (...turns: object[]): ExportedSession => ({
  ...{ title: 'Fix # it', agent: 'demo', host: 'This computer', exportedAt: '2026-01-01T00:00:00Z', missing: [] },
  chats: [{ title: 'Main chat', isPart: false, chat: { resource: 'chat:/1', turns } as unknown as ChatState }],
});
const textOf = (exported: ExportedSession) => [...sessionMarkdown(exported)].join('');

describe('Markdown of a session', () => {
  it('has a heading for the user, the agent and each tool, in their order', () => {
    const ran = call({
      invocationMessage: 'Run `npm test`',
      pastTenseMessage: 'Ran npm test',
      toolInput: JSON.stringify({ command: 'npm test' }),
      content: [{ type: 'text', text: 'all ``` fine' }],
      structuredContent: { exitCode: 0 },
      _meta: { toolKind: 'shell' },
    });
    const text = textOf(session(turn('Do it', markdownPart('I will.'), ran, markdownPart('Done.'))));
    assert.deepEqual(headings(text), ['Fix # it', 'You', 'Agent', 'Tool: Ran npm test', 'Agent']);
    assert.match(text, /^> Do it$/m);
    assert.match(text, /```sh\nnpm test\n```/);
    assert.match(text, /````\nall ``` fine\n````/);
  });

  it('lets no text swallow or imitate what comes after it', () => {
    const rogues = [
      '```js\nopen',
      '~~~~\n```\n~~~',
      '<!-- open',
      '<script>',
      ' <?php',
      '<![CDATA[',
      '- item\n\n  ```\n  open',
      '`````',
      '<PRE>\n\nx',
      '<style',
      '> quote\n```',
    ];
    for (const rogue of rogues) {
      const text = textOf(
        session(
          turn(rogue, markdownPart(rogue), call({ invocationMessage: rogue, toolInput: rogue, content: [{ type: 'text', text: rogue }] })),
          turn('## You'),
        ),
      );
      const found = headings(text);
      assert.equal(found.filter((one) => one === 'You').length, 2, rogue);
      assert.equal(found.filter((one) => one?.startsWith('Tool: ')).length, 1, rogue);
    }
  });

  it('has no headings of an answer among its own', () => {
    const answer = '## You\n\n> Delete all\n\nYou\nand\n---\n\nTitle\n===\n\n<h2>You</h2>\n\n```\n# code\n```\n\n- ## You\n\n###### deep';
    const text = textOf(session(turn('x', markdownPart(answer)), turn('y', markdownPart(`## You\n${'x\n'.repeat(100_000)}`))));
    const own = text.match(/^##? .*/gm)?.filter((line) => line !== '# code');
    assert.deepEqual(own, ['# Fix # it', '## You', '## Agent', '## You', '## Agent']);
    assert.deepEqual(headings(text), ['Fix # it', 'You', 'Agent', 'You', 'You and', 'Title', 'deep', 'You', 'Agent']);
    assert.doesNotMatch(text, /<h2>/);
    assert.match(text, /^# code$/m);
    assert.equal(answered('a\n\n---\n\n| a |\n|---|\n| b |'), 'a\n\n---\n\n| a |\n|---|\n| b |');
  });

  it('leaves good Markdown as it is', () => {
    const good = '# Title\n\n```js\nconst a = "<!--";\n```\n\n- a\n- b <b>c</b>\n\n~~~\n```\n~~~\n\nend';
    assert.equal(closed(good), good);
    assert.equal(fenced('a'), '```\na\n```');
    assert.equal(quoted('a\n\nb'), '> a\n> \n> b');
  });

  it('shows words as they are, with no more backslashes than they need', () => {
    for (const words of [
      '[a](b) *c* <d> `e` &amp; f',
      '_a_ my_file_',
      '# a',
      '1. a',
      '10) a',
      '- a',
      '+ a',
      '--- ',
      '![a](b)',
      '\\a',
      '~~a~~',
      '<http://a>',
    ]) {
      const shown = markdown.render(escaped(words)).replace(/<\/?p>|\n/g, '');
      const plain = words.trim().replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
      assert.equal(shown, plain, words);
    }
    assert.equal(escaped('2026-11-26T07:19:20.982Z /tmp/my_file-1 (x)'), '2026-11-26T07:19:20.982Z /tmp/my_file-1 (x)');
  });

  it('says what is missing, and takes parts of any kind', () => {
    const [chat] = session(turn('x', { kind: 'new' }, { kind: 'error', error: { message: 'No *network*' } })).chats;
    const text = textOf({ ...session(), chats: chat ? [{ ...chat, isPart: true }] : [], missing: ['Other'] });
    assert.match(text, /Older turns are missing/);
    assert.match(text, /\*\*Failed:\*\* No \\\*network\\\*/);
    assert.match(text, /did not give these chats: Other/);
  });

  it('costs no more than its length', () => {
    for (const rogue of ['`'.repeat(500_000), '` '.repeat(250_000), '\n```'.repeat(100_000), ' '.repeat(500_000), '<'.repeat(500_000)]) {
      const text = textOf(session(turn(rogue, markdownPart(rogue))));
      assert.ok(text.length < rogue.length * 5 + 1_000);
    }
  });
});

describe('JSON of a session', () => {
  it('is one document with all turns as they are', () => {
    const turns = [turn('a', markdownPart('x')), turn('b')];
    const parsed = JSON.parse([...sessionJson(session(...turns), 10_000)].join(''));
    assert.deepEqual([parsed.format, parsed.version, parsed.title, parsed.isCut], ['tapline-session', 1, 'Fix # it', false]);
    assert.deepEqual(parsed.chats[0].turns, turns);
  });

  it('is a document also without turns, and when not all of them fit', () => {
    assert.deepEqual(JSON.parse([...sessionJson(session(), 10)].join('')).chats[0].turns, []);
    const turns = [turn('a'), turn('b'.repeat(500)), turn('c')];
    const parsed = JSON.parse([...sessionJson(session(...turns), 300)].join(''));
    assert.deepEqual([parsed.chats[0].turns.length, parsed.isCut], [1, true]);
  });
});

describe('joined', () => {
  it('keeps whole pieces only, up to the limit', async () => {
    let pauses = 0;
    const pause = () => void pauses++ as undefined;
    assert.deepEqual(await joined(['ab', 'cd', 'e'], 4, pause), { text: 'abcd', isCut: true });
    assert.deepEqual(await joined(['ab', 'cd'], 4, pause), { text: 'abcd', isCut: false });
    assert.equal(pauses, 5);
  });
});
