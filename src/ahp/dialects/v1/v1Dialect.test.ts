import assert from 'node:assert/strict';
import { v1Dialect } from './v1Dialect.ts';

describe('The notifications of AHP v1', () => {
  const heard = (notification: unknown) => v1Dialect.notificationOf('notification', { notification });

  it('are taken with what is known of them', () => {
    for (const known of [
      { type: 'notify/sessionAdded', summary: { resource: 'demo:/1' } },
      { type: 'notify/sessionRemoved', session: 'demo:/1' },
      { type: 'notify/sessionSummaryChanged', session: 'demo:/1', changes: {} },
      { type: 'notify/authRequired', resource: 'https://api.example', reason: 'expired' },
    ])
      assert.deepEqual(heard(known), known);
  });

  it('are malformed without the session or resource that they are about', () => {
    for (const type of ['notify/sessionRemoved', 'notify/sessionSummaryChanged', 'notify/authRequired'])
      for (const junk of [undefined, null, 7, {}, ['demo:/1']]) assert.equal(heard({ type, session: junk, resource: junk }), 'malformed');
    for (const junk of [undefined, 7, {}, { type: 7 }]) assert.equal(heard(junk), 'malformed');
  });

  it('are unknown where AHP v1 has none of the kind', () => {
    assert.equal(heard({ type: 'notify/progress', progressToken: 't', progress: 'much', message: {} }), undefined);
  });

  it('of a later kind are kept', () => {
    assert.deepEqual(heard({ type: 'notify/later', more: 1 }), { type: 'notify/later', more: 1 });
  });
});
