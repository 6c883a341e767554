import assert from 'node:assert/strict';
import { Limit } from '../../tap/wire/limits.ts';
import { SiteVisits } from './siteVisits.ts';

describe('the connections of a site', () => {
  let now: number;
  let visits: SiteVisits;
  beforeEach(() => {
    now = 0;
    visits = new SiteVisits(() => now);
  });
  const taken = (origin: (at: number) => string, tries = 100) =>
    Array.from({ length: tries }, (_, at) => visits.take(origin(at))).filter((isTaken) => isTaken).length;

  it('are counted together for all names of a domain, and come back with time', () => {
    assert.equal(
      taken((at) => `https://tab${at}.evil.example`),
      Limit.siteVisits,
    );
    assert.equal(visits.take('https://honest.example'), true);
    now += 1000;
    assert.equal(
      taken((at) => `https://tab${at}.evil.example`),
      Limit.siteVisitsPerSecond,
    );
  });

  it('of an origin with a pairing are its own, whatever others of its domain do', () => {
    taken(() => 'https://evil.shared.example');
    assert.equal(visits.take('https://honest.shared.example'), false);
    assert.equal(visits.take('https://honest.shared.example', true), true);
    taken((at) => `https://site${at}.example${at}.test`, 2000);
    assert.equal(visits.take('https://late.test', true), true);
    assert.equal(Array.from({ length: 100 }, () => visits.take('https://late.test', true)).filter(Boolean).length, Limit.siteVisits - 1);
  });

  it('are remembered of a bounded number of sites, and never forgotten while they count', () => {
    const sites = (at: number) => `https://site${at}.example${at}.test`;
    taken((at) => sites(at), 999);
    assert.equal(
      taken(() => 'https://evil.test'),
      Limit.siteVisits,
    );
    assert.deepEqual([visits.take('https://late.test'), visits.take('https://evil.test')], [false, false]);
    now += 1000;
    assert.deepEqual([visits.take('https://late.test'), visits.take('https://evil.test')], [true, true]);
    now += 1;
    assert.equal(taken(() => 'https://evil.test') < Limit.siteVisits, true);
  });
});
