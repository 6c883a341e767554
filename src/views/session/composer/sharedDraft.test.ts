import assert from 'node:assert/strict';
import { chatState } from '../../../../test/fakes/models.ts';
import { meet, shareDraft, sharedWords } from './sharedDraft.ts';

const words = (text: string) => ({ text, attachments: [] });
/** `known` came from another client, unless it was typed here. */
const meeting = (local: string, known: string, remote: string, { hasFocus = false, typed = false } = {}) =>
  meet({ local: words(local), followed: typed ? undefined : words(known), known: words(known), remote: words(remote), hasFocus });

describe('meet', () => {
  it('follows another client where nothing was typed since', () => {
    assert.equal(meeting('', '', 'by another'), 'follow');
    assert.equal(meeting('by an', 'by an', 'by another'), 'follow');
    assert.equal(meeting('by another', 'by another', ''), 'follow');
  });

  it('offers what another client attaches', () => {
    const remote = { text: 'by another', attachments: [{ type: 'simple' as const, label: 'notes.md' }] };
    assert.equal(meet({ local: words(''), followed: undefined, known: words(''), remote, hasFocus: false }), 'offer');
  });

  it('replaces nothing that was typed here', () => {
    assert.equal(meeting('mine', '', 'by another'), 'offer');
    assert.equal(meeting('by an, and mine', 'by an', 'by another'), 'offer');
    assert.equal(meeting('mine', 'by another', ''), 'nothing');
    // The host has refused it, or another client has changed or sent it.
    assert.equal(meeting('mine', 'mine', '', { typed: true }), 'nothing');
    assert.equal(meeting('mine', 'mine', 'mine, changed', { typed: true }), 'offer');
  });

  it('lets nothing appear in a composer in which the user may press Enter', () => {
    assert.equal(meeting('', '', 'by another', { hasFocus: true }), 'offer');
    assert.equal(meeting('by an', 'by an', 'by another', { hasFocus: true }), 'offer');
    // What another client has sent does not stay to be sent again.
    assert.equal(meeting('by another', 'by another', '', { hasFocus: true }), 'follow');
  });

  it('has nothing to do when the host has what is here, or only what was here before', () => {
    assert.equal(meeting('same', '', 'same'), 'nothing');
    assert.equal(meeting('typed on', 'typed', 'typed'), 'nothing');
  });
});

describe('shareDraft', () => {
  const origin = { kind: 'user' as const };

  it('keeps the model that is chosen for the message', () => {
    const chat = chatState({ draft: { text: 'old', origin, model: { id: 'm' } } });
    assert.deepEqual(shareDraft(chat, words('new')), { type: 'chat/draftChanged', draft: { text: 'new', origin, model: { id: 'm' } } });
    assert.deepEqual(shareDraft(chat, words('')), { type: 'chat/draftChanged', draft: { text: '', origin, model: { id: 'm' } } });
  });

  it('clears a draft of which nothing is left', () => {
    assert.deepEqual(shareDraft(chatState({ draft: { text: 'old', origin } }), words('')), { type: 'chat/draftChanged' });
  });

  it('says nothing that the host has', () => {
    const chat = chatState({ draft: { text: 'old', origin } });
    assert.equal(shareDraft(chat, sharedWords(chat)), undefined);
    assert.equal(shareDraft(chatState(), words('')), undefined);
  });
});
