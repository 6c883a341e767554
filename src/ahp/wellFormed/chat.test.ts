import assert from 'node:assert/strict';
import { message } from '../channels/shapes/message.ts';
import type { ActiveTurn, ChatState } from '../channels/chat/state.ts';
import { chatState, said } from '../../../test/fakes/models.ts';
import { wellFormedChat } from './chat.ts';

const withParts = (responseParts: unknown): ChatState =>
  chatState({ activeTurn: { id: 't', message: said('Go'), responseParts } as unknown as ActiveTurn });

describe('wellFormedChat', () => {
  it('keeps the objects that fit, beside those that do not', () => {
    const good = { kind: 'markdown', id: 'm', content: 'x' };
    const { responseParts } = wellFormedChat(withParts([good, null])).activeTurn as ActiveTurn;
    assert.equal(responseParts[0], good);
  });

  it('keeps parts, statuses and contents of later versions as they came', () => {
    const state = withParts([
      { kind: 'beam', power: 3 },
      { kind: 'toolCall', toolCall: { status: 'paused', toolCallId: 'c', toolName: 'x', displayName: 'X', since: 1 } },
    ]);
    assert.equal(wellFormedChat(state), state);
  });

  it('makes a malformed part one of unknown kind, with everything that came', () => {
    const part = { kind: 'markdown', id: 'm', content: { not: 'text' } };
    assert.deepEqual(wellFormedChat(withParts([part, 7])).activeTurn?.responseParts, [
      { kind: 'markdown, malformed', value: part },
      { kind: 'no kind, malformed', value: 7 },
    ]);
  });

  it('finds what is malformed also in a list that begins as one that was checked, and what has become good again', () => {
    const [first, second] = [1, 2].map((at) => ({ kind: 'markdown', id: `m${at}`, content: 'x' }));
    const parts = (responseParts: unknown[]) => wellFormedChat(withParts(responseParts)).activeTurn?.responseParts;
    const good = [first, second];
    assert.equal(parts(good), good);
    const running = {
      status: 'running',
      toolCallId: 'c',
      toolName: 'x',
      displayName: 'X',
      invocationMessage: '',
      contributor: { kind: 'client' },
    };
    const bad = { kind: 'toolCall', toolCall: running };
    for (const odd of [bad, null, undefined, [], { kind: 'markdown', id: 'm2', content: 7 }]) {
      for (const list of [
        [first, odd],
        [first, second, odd],
        [first, odd, second],
      ]) {
        const checked = parts(list);
        assert.match(checked?.[list.indexOf(odd)]?.kind ?? '', /, malformed$/);
        assert.equal(checked?.[0], first);
        assert.equal(checked?.includes(second as never), list.includes(second));
      }
    }
    const again = [first, second, { kind: 'markdown', id: 'm3', content: '' }];
    assert.equal(parts(again), again);
  });

  it('leaves nothing in a message that a client could not send back', () => {
    const odd = [
      { type: 'resource', label: 'A', uri: 'no scheme', _meta: 5 },
      { type: 'resource', uri: 'file:///a', displayKind: 7, range: { start: { line: 0 } }, _meta: 5, sizeHint: 'big' },
      { type: 'embeddedResource', label: 'B', data: 'QQ==', contentType: 'text/plain', selection: { range: {} } },
      { type: 'chat', label: 'C', resource: 'ahp-chat://1', endTurn: '' },
      { type: 'simple', label: 'D', modelRepresentation: 1 },
      { type: '', label: 'E' },
      { type: 'beam', power: 3 },
    ];
    const queued = { ...said('Hi'), attachments: odd, model: { id: '' }, agent: { uri: 'none' }, _meta: 'x' };
    const state = { ...chatState(), queuedMessages: [{ id: 'p', message: queued }] } as unknown as ChatState;
    const kept = wellFormedChat(state).queuedMessages?.[0]?.message;
    assert.ok(message.safeParse(kept).success, JSON.stringify(kept));
    assert.deepEqual(kept, {
      ...said('Hi'),
      attachments: [
        { type: 'resource', label: '', uri: 'file:///a' },
        { type: 'embeddedResource', label: 'B', data: 'QQ==', contentType: 'text/plain' },
        { type: 'chat', label: 'C', resource: 'ahp-chat://1' },
        { type: 'simple', label: 'D' },
        { type: 'beam', power: 3 },
      ],
    });
  });

  it('keeps 5,000 turns that fit', () => {
    const turns = Array.from({ length: 5000 }, (_, i) => ({
      id: `t${i}`,
      message: said('x'),
      state: 'complete',
      responseParts: [{ kind: 'markdown', id: `m${i}`, content: 'y' }],
    }));
    const state = { ...withParts([]), turns } as ChatState;
    assert.equal(wellFormedChat(state), state);
  });
});
