import assert from 'node:assert/strict';
import { CloseCode } from '../../tap/wire/closeCodes.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { FakeGateway, type FakeProvider } from '../../../test/fakes/fakeGateway.ts';
import { makeRoom, whyFull } from './admission.ts';

describe('admission', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());
  /** Accepted as the server does it. */
  const silent = (origin?: string) => {
    makeRoom(fake.gateway.connections, origin);
    return fake.peer({ origin });
  };
  const many = (count: number, origin: (at: number) => string | undefined) => Array.from({ length: count }, (_, at) => silent(origin(at)));
  const open = (peers: FakeProvider[]) => peers.filter(({ closedWith }) => !closedWith).length;
  const room = (origin?: string) => whyFull(fake.gateway.connections, origin) === undefined;

  it('of silent peers: the oldest of the largest site is closed with an error', () => {
    const honest = silent('https://honest.example');
    const evil = many(Limit.pageConnections * 3, (at) => `https://tab${at}.evil.example`);
    assert.equal(open(evil), Limit.pageConnections - 1);
    assert.equal(honest.closedWith, undefined);
    assert.deepEqual([evil[0]?.errors, evil[0]?.closedWith?.code], [['RATE_LIMITED'], 4001]);
    assert.equal(evil.at(-1)?.closedWith, undefined);
    const late = silent('https://late.example');
    assert.deepEqual([late.closedWith, open(evil)], [undefined, Limit.pageConnections - 2]);
  });

  it('of programs are not taken by pages, and those of pages not by programs', () => {
    const [program, page] = [silent(), silent('https://page.example')];
    const pages = many(Limit.connections * 2, (at) => `https://page${at}.example`);
    assert.equal(program.closedWith, undefined);
    assert.equal(open(pages), Limit.pageConnections);
    assert.ok(page.closedWith, 'each has a site of its own, so the oldest goes');
    const programs = many(Limit.connections * 2, () => undefined);
    assert.equal(open(programs), Limit.connections);
    assert.ok(program.closedWith);
    assert.equal(open(pages), Limit.pageConnections);
  });

  it('are kept for peers that have authenticated or are being paired', () => {
    const known = [fake.authenticated(), fake.external('https://page.example')];
    const pairing = fake.peer({ origin: 'https://new.example' }).say({ type: 'auth', mode: 'pair' });
    many(Limit.connections * 2, () => undefined);
    many(Limit.connections, () => 'https://page.example');
    assert.equal(open([...known, pairing]), 3);
  });

  it('are limited to fifty, twenty for pages and ten for one origin', () => {
    const { token } = fake.gateway.grants.issuePairedToken('https://one.example');
    for (let at = 0; at < Limit.originConnections; at++) fake.authenticated(token, 'https://one.example');
    assert.deepEqual([room('https://one.example'), room('https://two.example'), room()], [false, true, true]);
    const eleventh = fake.authenticated(token, 'https://one.example');
    assert.match(eleventh.last('error').message, /^ten pages of this address are connected/);
    assert.deepEqual([eleventh.errors, eleventh.closedWith?.code], [['RATE_LIMITED'], CloseCode.TryAgainLater]);
    const two = Array.from({ length: Limit.pageConnections - Limit.originConnections }, () => fake.external('https://two.example'));
    assert.deepEqual([room('https://three.example'), room()], [false, true]);
    assert.match(fake.external('https://three.example').last('error').message, /^twenty pages are connected/);
    const programs = Array.from({ length: Limit.connections - Limit.pageConnections }, () => fake.authenticated());
    assert.deepEqual([open(two), open(programs), room()], [two.length, programs.length, false]);
    const last = fake.authenticated();
    assert.match(last.last('error').message, /^fifty are connected/);
    assert.match(last.closedWith?.reason ?? '', /^fifty are connected/);
    assert.deepEqual(fake.peer().say({ type: 'auth', mode: 'pair' }).errors, ['RATE_LIMITED']);
    programs[0]?.connection.closed();
    assert.deepEqual([room(), room('https://three.example')], [true, false]);
    assert.equal(fake.authenticated().connection.state, 'AwaitHello');
  });

  it('are not taken by providers that owners vouch for', () => {
    for (let at = 0; at < Limit.connections; at++) fake.authenticated(fake.gateway.grants.issueInternalToken('a'));
    assert.equal(room(), true);
    assert.equal(fake.authenticated().connection.state, 'AwaitHello');
  });

  it('that disconnected while the user typed the code can be paired with the same code', () => {
    const pairing = fake.peer().say({ type: 'auth', mode: 'pair' });
    const { code } = fake.owner.last('pairing/started');
    const programs = Array.from({ length: Limit.connections }, () => fake.authenticated());
    assert.deepEqual(pairing.say({ type: 'auth.confirm', code }).errors, ['RATE_LIMITED']);
    programs[0]?.connection.closed();
    assert.equal(pairing.say({ type: 'auth.confirm', code }).connection.state, 'AwaitHello');
  });
});
