import assert from 'node:assert/strict';
import type { Annotation } from '../../../../ahp/channels/annotations.ts';
import type { Turn } from '../../../../ahp/channels/chat/state.ts';
import type { MessageAttachment } from '../../../../ahp/channels/shapes/message.ts';
import { engineMessage, type Reading } from './engineMessage.ts';

const origin = { kind: 'user' } as const;
const range = { start: { line: 2, character: 0 }, end: { line: 5, character: 0 } };
const base64 = (text: string) => Buffer.from(text).toString('base64');
const turn = (id: string, text: string): Turn => ({
  ...{ id, message: { text, origin }, state: 'complete' },
  responseParts: [{ kind: 'markdown', id: 'p', content: `re: ${text}` }],
});

describe('The message for the engine', () => {
  const chats: Record<string, Turn[]> = { 'ahp-chat:plan': [turn('a', 'first'), turn('b', 'second')], 'ahp-chat:empty': [] };
  const comment = (id: string, text: string) => ({
    ...{
      id,
      origin: { session: 's:/1' },
      resource: 'file:///w/a.ts',
      range,
      resolved: false,
      entries: [{ id: 'e', text: { markdown: text } }],
    },
  });
  const comments: Record<string, Annotation[]> = { 'ahp-annotations:2': [comment('a', 'Why?'), comment('b', 'Rename\nthis')] };
  const reading: Reading = { vision: true, turnsOf: (chat) => chats[chat], commentsIn: (channel) => comments[channel] };
  const blind: Reading = { ...reading, vision: false };
  const made = (attachment: MessageAttachment, how = reading) => engineMessage({ text: 'Look', origin, attachments: [attachment] }, how);
  /** What the prompt says besides the message. */
  const said = (attachment: MessageAttachment, how = reading) => made(attachment, how).prompt.replace(/^Look(\n\n)?/, '');

  it('is the text, with what stands before and after it for the model alone', () => {
    assert.deepEqual(engineMessage({ text: 'Look', origin }, reading), { prompt: 'Look' });
    const { prompt, displayPrompt } = engineMessage({ text: 'Look', origin }, reading, ['before', undefined], ['after']);
    assert.deepEqual([prompt, displayPrompt], ['before\n\nLook\n\nafter', 'Look']);
  });

  it('has files and folders, each with a name', () => {
    const file: MessageAttachment = { type: 'resource', label: 'file:///w/a.ts', uri: 'file:///w/a.ts' };
    assert.deepEqual(made(file), { prompt: 'Look', attachments: [{ type: 'file', path: '/w/a.ts', displayName: 'a.ts' }] });
    assert.deepEqual(made({ type: 'resource', label: 'Sources', uri: 'file:///w/src', displayKind: 'directory' }).attachments, [
      { type: 'directory', path: '/w/src', displayName: 'Sources' },
    ]);
  });

  it('says which lines are selected', () => {
    const message = made({ type: 'resource', label: 'a.ts', uri: 'file:///w/a.ts', selection: { range } });
    assert.deepEqual(message, {
      prompt: 'Look\n\nSelected by the user: lines 3–5 of `/w/a.ts`',
      displayPrompt: 'Look',
      attachments: [{ type: 'file', path: '/w/a.ts', displayName: 'a.ts' }],
    });
  });

  it('names what is no file of this computer', () => {
    for (const uri of ['https://example.com/a', 'file://elsewhere/a', 'file:///a%2Fb'])
      assert.deepEqual(made({ type: 'resource', label: 'a', uri }), { prompt: `Look\n\nAttached: ${uri}`, displayPrompt: 'Look' });
  });

  it('has what a client says to the model, and the label where it says nothing', () => {
    assert.equal(said({ type: 'simple', label: 'Problems', modelRepresentation: 'a.ts:3 is wrong' }), 'a.ts:3 is wrong');
    assert.equal(said({ type: 'simple', label: 'Problems' }), 'Attached: `Problems`');
  });

  it('has images only for models that see', () => {
    const image: MessageAttachment = { type: 'embeddedResource', label: 'dot.png', data: 'AAAA', contentType: 'image/png' };
    assert.deepEqual(made(image), {
      prompt: 'Look',
      attachments: [{ type: 'blob', data: 'AAAA', mimeType: 'image/png', displayName: 'dot.png' }],
    });
    const file: MessageAttachment = { type: 'resource', label: 'dot.png', uri: 'file:///w/dot.png' };
    assert.equal(made(file).attachments?.length, 1);
    for (const one of [image, file]) {
      assert.equal(made(one, blind).attachments, undefined);
      assert.match(said(one, blind), /^Attached, but you cannot see images: .*dot\.png/);
    }
  });

  it('has embedded texts, with the lines that are selected', () => {
    const text: MessageAttachment = { type: 'embeddedResource', label: 'new.md', data: base64('a\n```\nb'), contentType: 'text/markdown' };
    assert.equal(said(text), 'Attached: `new.md`:\n\n````\na\n```\nb\n````');
    assert.match(said({ ...text, selection: { range } }), /^Attached: `new\.md`, of which the user has selected lines 3–5:\n/);
    assert.match(said({ ...text, contentType: 'image/svg+xml', data: base64('<svg/>') }), /<svg\/>/);
  });

  it('says what the model cannot see', () => {
    const left: [MessageAttachment, string][] = [
      [{ type: 'embeddedResource', label: 'a.zip', data: '/wAB', contentType: 'application/zip' }, '`a.zip` (application/zip)'],
      [{ type: 'embeddedResource', label: 'a.bmp', data: base64('BM'), contentType: 'image/bmp' }, '`a.bmp` (image/bmp)'],
      [{ type: 'annotations', label: 'Review', resource: 'ahp-annotations:1' }, 'the annotations `Review`'],
      [{ type: 'chat', label: 'Gone', resource: 'ahp-chat:gone' }, 'the chat `Gone`'],
      [{ type: 'chat', label: 'Empty', resource: 'ahp-chat:empty' }, 'the chat `Empty`'],
      [{ type: 'later', label: 'New' } as unknown as MessageAttachment, '`New`'],
    ];
    for (const [attachment, name] of left) {
      assert.equal(said(attachment), `Attached, but you cannot see it: ${name}`);
      assert.equal(made(attachment).attachments, undefined);
    }
  });

  it('tells comments, all or those that are attached', () => {
    const review: MessageAttachment = { type: 'annotations', label: 'Review', resource: 'ahp-annotations:2' };
    assert.equal(
      said(review),
      [
        'Attached: the annotations `Review`:',
        'Comment `a` on lines 3–5 of `/w/a.ts` (open):\n- user: Why?',
        'Comment `b` on lines 3–5 of `/w/a.ts` (open):\n- user: Rename\n  this',
      ].join('\n\n'),
    );
    assert.doesNotMatch(said({ ...review, annotationIds: ['b'] }), /Why/);
    assert.match(said({ ...review, annotationIds: ['c'] }), /you cannot see it/);
  });

  it('tells another chat, as far as it was attached', () => {
    const plan: MessageAttachment = { type: 'chat', label: 'Plan', resource: 'ahp-chat:plan' };
    assert.match(said(plan), /^<attached_conversation>\n.*`Plan`\.\n\nUser: first\n\nAssistant: re: first\n\nUser: second\n/);
    assert.match(said({ ...plan, endTurn: 'a' }), /first/);
    assert.doesNotMatch(said({ ...plan, endTurn: 'a' }), /second/);
  });

  it('is bounded, however much is attached', () => {
    const text: MessageAttachment = { type: 'simple', label: 'x', modelRepresentation: 'x'.repeat(300_000) };
    const { prompt } = engineMessage({ text: 'Look', origin, attachments: [text, text, text] }, reading);
    assert.ok(prompt.length < 401_000);
    assert.match(prompt, /The rest is left out/);
  });
});
