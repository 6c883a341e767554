import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { claimText, proofText, sessionOf } from '../../views/portal/wire/pageSessionWire.ts';
import { OPENING_MS, PageSessions, SESSION_MS } from './pageSessions.ts';

const own = '127.0.0.1:8888';
const nonce = randomBytes(32).toString('base64url');
const hmac = (key: string, text: string) => createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url');

describe('the sessions of pages', () => {
  let clock: FakeClock;
  let sessions: PageSessions;
  beforeEach(() => {
    clock = new FakeClock();
    sessions = new PageSessions('the token', clock);
  });
  const keyAt = (host: string, at = sessions) => at.keyFor(at.offer(), host) ?? assert.fail();
  /** What a page with that key makes of the answer. */
  const sessionWith = (key: string, host = own, at = sessions) => {
    const said = at.answer(nonce, host, own) ?? assert.fail();
    return { ...said, session: sessionOf({ nonce, ...said }, hmac(key, claimText({ nonce, ...said }))) };
  };

  it('are made of a key that the page gets once for each code', () => {
    const code = sessions.offer();
    const key = sessions.keyFor(code, own) ?? assert.fail();
    assert.equal(sessions.keyFor(code, own), undefined);
    const late = sessions.offer();
    clock.advance(OPENING_MS + 1);
    assert.equal(sessions.keyFor(late, own), undefined);
    assert.equal(sessions.keyFor('none', own), undefined);
    const { session, run, until, proof } = sessionWith(key);
    assert.equal(proof, hmac(key, proofText({ nonce, run, until })));
    assert.ok(sessions.isSession(session, own, own));
    assert.ok(!session.includes(key) && !JSON.stringify({ run, until, proof }).includes(session.split('.')[2] ?? assert.fail()));
  });

  it('end after a while, and cannot be made longer', () => {
    const { session, until } = sessionWith(keyAt(own));
    assert.ok(!sessions.isSession(session.replace(String(until), String(until + 1)), own, own));
    clock.advance(SESSION_MS);
    assert.ok(sessions.isSession(session, own, own));
    clock.advance(1);
    assert.ok(!sessions.isSession(session, own, own));
    for (const text of ['', '.', `${nonce}.1.${nonce}`, `${nonce}.1e3.${nonce}`]) assert.ok(!sessions.isSession(text, own, own), text);
  });

  it('are worth nothing at another run of a portal with the same token and address, where the key is good', () => {
    const key = keyAt(own);
    const { session } = sessionWith(key);
    const next = new PageSessions('the token', clock);
    assert.ok(!next.isSession(session, own, own));
    assert.ok(next.isSession(sessionWith(key, own, next).session, own, own));
    const other = new PageSessions('another token', clock);
    assert.ok(!other.isSession(sessionWith(key, own, other).session, own, own));
  });

  it('are of one address: who has that of last time cannot pass on what its pages say', () => {
    const last = '127.0.0.1:7777';
    const before = new PageSessions('the token', clock);
    const key = before.keyFor(before.offer(), last) ?? assert.fail();
    assert.equal(sessions.answer(nonce, last, own), undefined);
    assert.ok(!sessions.isSession(sessionWith(key).session, own, own), 'the key of another address');
    // A connection that is forwarded has another one too, and its page was opened there with the token.
    const forwarded = keyAt(last);
    assert.equal(forwarded, key);
    assert.ok(sessions.isSession(sessionWith(forwarded, last).session, last, own));
  });

  it('are offered to a bounded number at a time', () => {
    const codes = Array.from({ length: 40 }, () => sessions.offer());
    assert.equal(sessions.keyFor(codes[0] ?? '', own), undefined);
    assert.ok(sessions.keyFor(codes[39] ?? '', own));
    for (let at = 0; at < 40; at++) keyAt(`127.0.0.1:${at + 1}`);
    assert.equal(sessions.answer(nonce, '127.0.0.1:1', own), undefined);
    assert.ok(sessions.answer(nonce, own, own));
  });
});
