/** What a gateway takes over from the one before it, and what it does not. */
import assert from 'node:assert/strict';
import { keyOf } from '../../src/base/server/challenge.ts';
import { TokenHistory } from '../../src/gateway/trust/tokenHistory.ts';
import { Limit, Time } from '../../src/tap/wire/limits.ts';
import { FakeGateway, FakeOwner, hello, tool } from '../fakes/fakeGateway.ts';

const PORT = 9400;
const PAGE = 'https://page.example';

describe('a gateway that follows one that was killed', () => {
  let history: TokenHistory;
  let first: FakeGateway;
  let next: FakeGateway;
  const all: FakeGateway[] = [];
  const start = (port: number) => {
    const fake = new FakeGateway({ history, port });
    all.push(fake);
    return fake;
  };
  beforeEach(() => {
    history = new TokenHistory();
    first = start(PORT);
    history.began(keyOf(first.gateway.grants.fileToken), PORT);
    first.session('a');
  });
  afterEach(() => {
    for (const fake of all.splice(0)) fake.dispose();
  });
  const record = () => first.owner.trust.at(-1)!;
  const token = () => first.gateway.grants.fileToken;
  const follow = (port = PORT) => {
    next = start(port);
    history.began(keyOf(next.gateway.grants.fileToken), port);
    next.session('a');
    return next;
  };
  const paired = (fake: FakeGateway, origin: string | undefined = PAGE) => fake.gateway.grants.issuePairedToken(origin).token;
  const bindPage = (fake: FakeGateway, pageToken: string) =>
    fake.authenticated(pageToken, PAGE).say(hello({ name: 'page', session: 'a', tools: [tool('click')] }));

  it('takes the token that an owner passes on, beside its own', () => {
    follow();
    const own = next.gateway.grants.fileToken;
    next.gateway.succession.passOn(record());
    for (const valid of [token(), own]) assert.deepEqual(next.authenticated(valid).errors, []);
    assert.equal(next.gateway.grants.fileToken, token());
    assert.equal(history.last?.digest, keyOf(token()), 'it can be passed on again');
    assert.equal(next.owner.trust.at(-1)?.token, token(), 'the owners know');
  });

  it('takes nothing on another port, later, twice, or with a token that was not the last one', () => {
    const refused = (why: string) => assert.deepEqual(next.authenticated(token()).errors, ['AUTH_FAILED'], why);
    follow(PORT + 1).gateway.succession.passOn(record());
    refused('another port');

    history.began(keyOf(token()), PORT);
    follow();
    next.clock.advance(Time.passOnMs);
    next.gateway.succession.passOn(record());
    refused('later');

    history.began(keyOf(token()), PORT);
    follow().gateway.succession.passOn({ ...record(), token: `ptk-${'x'.repeat(43)}` });
    assert.deepEqual(next.authenticated(`ptk-${'x'.repeat(43)}`).errors, ['AUTH_FAILED']);
    next.gateway.succession.passOn(record());
    assert.deepEqual(next.authenticated(token()).errors, []);
    next.gateway.succession.passOn({ ...record(), pairings: [{ digest: keyOf('ext-late'), origin: PAGE }] });
    assert.deepEqual(next.authenticated('ext-late', PAGE).errors, ['AUTH_FAILED'], 'twice');
  });

  it('has the holder of such a token wait until that is decided, and a stranger not', () => {
    follow();
    const [early, page, stranger] = [next.authenticated(token()), next.authenticated('ext-unknown', PAGE), next.authenticated('ptk-wrong')];
    assert.deepEqual([early.heard, page.heard, stranger.errors], [[], [], ['AUTH_FAILED']]);
    next.gateway.succession.passOn(record());
    assert.equal(early.all('sessions').length, 1);
    assert.deepEqual(page.errors, ['AUTH_FAILED']);
  });

  it('refuses them when nobody passes anything on in time, and does not keep those that have gone', () => {
    follow();
    const [early, gone] = [next.authenticated(token()), next.authenticated(token())];
    gone.connection.closed();
    next.clock.advance(Time.passOnMs);
    assert.deepEqual([early.errors, gone.heard], [['AUTH_FAILED'], []]);
    assert.deepEqual(early.closedWith?.code, 4001);
  });

  it('forgets what waits when the same page does something else', () => {
    follow();
    const page = next.authenticated('ext-old', PAGE);
    page.say({ type: 'auth', mode: 'pair' });
    next.clock.advance(Time.passOnMs);
    assert.deepEqual(page.errors, []);
    assert.equal(page.connection.state, 'AwaitPairing');
  });

  it('counts those that wait as peers that have not authenticated, so that others get in', () => {
    follow();
    const waiting = Array.from({ length: Limit.connections }, () => next.authenticated(token()));
    assert.ok(waiting.every(({ connection }) => connection.state === 'AwaitAuth'));
  });

  it('knows the pages that were paired, by their hashes alone, with their origin', () => {
    const pageToken = paired(first);
    bindPage(first, pageToken);
    assert.ok(!JSON.stringify(record()).includes(pageToken));
    follow().gateway.succession.passOn(record());
    assert.deepEqual(next.authenticated(pageToken, 'https://other.example').errors, ['AUTH_FAILED']);
    assert.deepEqual(next.authenticated(pageToken).errors, ['AUTH_FAILED'], 'not for a program');
    const page = bindPage(next, pageToken);
    assert.deepEqual([page.errors, page.last('hello.ack').sessionId], [[], 'a']);
    const [pairing] = next.gateway.status().pairings;
    assert.deepEqual([pairing?.name, pairing?.origin, pairing?.connected], ['page', PAGE, true]);
    next.gateway.revokePairing(pairing!.id);
    assert.deepEqual(next.authenticated(pageToken, PAGE).errors, ['AUTH_FAILED']);
  });

  it('does not have a pairing back that the user has removed, or that has ended with its session', () => {
    const [revoked, ended, kept] = [paired(first), paired(first), paired(first)];
    first.session('b');
    const page = first.authenticated(ended, PAGE).say(hello({ session: 'b' }));
    page.connection.closed();
    first.gateway.revokePairing(first.gateway.status().pairings[0]!.id);
    void first.gateway.sessions.end(first.gateway.sessions.get('b')!, 0);
    first.clock.advance(0);
    follow().gateway.succession.passOn(record());
    for (const gone of [revoked, ended]) assert.deepEqual(next.authenticated(gone, PAGE).errors, ['AUTH_FAILED']);
    assert.deepEqual(next.authenticated(kept, PAGE).errors, []);
  });

  it('ends a pairing whose session does not come back', () => {
    const [lost, back] = [paired(first), paired(first)];
    first.session('b');
    first.authenticated(lost, PAGE).say(hello({ session: 'b' }));
    bindPage(first, back);
    follow().gateway.succession.passOn(record());
    next.clock.advance(Time.graceMs);
    assert.deepEqual(next.authenticated(lost, PAGE).errors, ['AUTH_FAILED']);
    assert.deepEqual(next.authenticated(back, PAGE).errors, []);
  });

  it('tells a program whose token is refused where the right one is, and a page nothing of this computer', () => {
    const start = (tokenFile: string) => {
      const fake = new FakeGateway({
        history: new TokenHistory([{ digest: keyOf('ptk-old'), port: 1, names: [] }]),
        port: PORT,
        tokenFile,
      });
      all.push(fake);
      return fake;
    };
    const fake = start('/home/me/.provider-token');
    const said = (given: string, origin?: string) => fake.authenticated(given, origin).last('error').message;
    assert.match(said('ptk-wrong'), /^the token is not valid\. .* in \/home\/me\/\.provider-token\. .*terminal/);
    assert.match(said('ptk-old'), /^the token is of an earlier gateway\. .* in \/home/);
    for (const given of ['ptk-wrong', 'ptk-old', 'ext-wrong']) assert.equal(said(given, PAGE), 'the token is not valid');
  });

  describe('lets in a program with the token of an earlier gateway', () => {
    const waiting = () => next.gateway.earlierTokens.waiting;
    const bind = (name: string, given = token()) => next.authenticated(given).say(hello({ name, session: 'a' }));
    beforeEach(() => {
      first.authenticated().say(hello({ name: 'python', session: 'a' }));
      follow(PORT + 1); // nothing is passed on
    });

    it('under the name that the user has let in, at its next attempt, until the gateway ends', () => {
      assert.deepEqual(waiting(), []);
      assert.deepEqual(bind('python').errors[0], 'AUTH_FAILED');
      bind('python');
      const [{ id, names } = { id: '', names: [] }, ...more] = waiting();
      assert.deepEqual([names, more], [['python'], []]);
      const letIn = (anId: string, name?: string) => next.gateway.earlierTokens.letIn(anId, name);
      assert.deepEqual([letIn('other', 'python'), letIn(id, 'other'), letIn(id)], ['gone', 'gone', 'gone']);
      assert.equal(next.gateway.earlierTokens.letIn(id, 'python'), 'letIn');
      assert.deepEqual(waiting(), []);
      assert.equal(bind('python').all('hello.ack').length, 1);
      assert.ok(!JSON.stringify(next.owner.trust.at(-1)?.letIn).includes(token()));
      const after = follow(PORT + 2);
      assert.deepEqual(after.authenticated(token()).errors, ['AUTH_FAILED']);
    });

    it('and asks about another name that has the token too', () => {
      bind('python');
      next.gateway.earlierTokens.letIn(waiting()[0]!.id, 'python');
      const other = bind('other');
      assert.deepEqual([other.errors, other.closedWith?.code], [['AUTH_FAILED'], 4001]);
      assert.deepEqual(
        waiting().map(({ names }) => names),
        [['other']],
      );
      next.gateway.earlierTokens.letIn(waiting()[0]!.id, 'other');
      for (const name of ['python', 'other']) assert.equal(bind(name).all('hello.ack').length, 1);
    });

    it('under five names at most, and says so of a sixth, which waits on', () => {
      bind('python');
      const letIn = (name: string) => next.gateway.earlierTokens.letIn(waiting()[0]!.id, name);
      assert.equal(letIn('python'), 'letIn');
      for (const name of ['2', '3', '4', '5', '6']) {
        bind(name);
        assert.equal(letIn(name), name === '6' ? 'full' : 'letIn');
      }
      assert.deepEqual(
        waiting().map(({ names }) => names),
        [['6']],
      );
    });

    it('under the first name that it takes, where nobody is known to have used the token', () => {
      history.began(keyOf('ptk-unused'), PORT);
      next.authenticated('ptk-unused');
      const [{ id, names } = { id: '', names: ['x'] }] = waiting();
      assert.deepEqual(names, []);
      next.gateway.earlierTokens.letIn(id, undefined);
      assert.equal(bind('first', 'ptk-unused').all('hello.ack').length, 1);
      assert.deepEqual(bind('second', 'ptk-unused').errors, ['AUTH_FAILED']);
    });

    it('and passes that on like the token', () => {
      bind('python');
      next.gateway.earlierTokens.letIn(waiting()[0]!.id, 'python');
      const told = next.owner.trust.at(-1)!;
      follow(PORT + 1).gateway.succession.passOn(told);
      assert.equal(bind('python').all('hello.ack').length, 1);
      assert.deepEqual(bind('other').errors, ['AUTH_FAILED']);
    });

    it('and keeps nothing of a token that never was one, or of a page', () => {
      for (let at = 0; at < 50; at++) next.authenticated(`ptk-${at}`);
      next.authenticated(token(), PAGE);
      assert.deepEqual([waiting(), next.gateway.status().earlierTokens], [[], []]);
    });

    it('and keeps five tokens with five names at most', () => {
      for (let at = 0; at < 10; at++) {
        history.began(keyOf(`ptk-${at}`), PORT);
        for (let name = 0; name < 10; name++) history.used(keyOf(`ptk-${at}`), `name ${name}`);
      }
      for (let at = 0; at < 10; at++) next.authenticated(`ptk-${at}`);
      assert.equal(waiting().length, Limit.earlierTokens);
      for (const { names } of waiting()) assert.deepEqual(names, ['name 0', 'name 1', 'name 2', 'name 3', 'name 4']);
    });
  });

  it('tells every owner of each change, the newest hundred pairings and no endless origin', () => {
    const told = first.owner.trust.length;
    for (let at = 0; at < Limit.passedOn + 5; at++) paired(first);
    assert.equal(first.owner.trust.length, told + Limit.passedOn + 5);
    assert.equal(record().pairings.length, Limit.passedOn);
    paired(first, `https://${'x'.repeat(10_000)}`);
    assert.ok(record().pairings.every(({ origin }) => origin === PAGE));
    const late = new FakeOwner();
    first.gateway.attach(late);
    assert.deepEqual(late.trust.at(-1), record());
  });
});
