import assert from 'node:assert/strict';
import { areaOf, hasDetail, type PortalView, viewHref, viewOf, withWholeUri } from './portalAddress.ts';

const own = (uri: string) => ({ hostId: 'host', uri });
const addresses: [string, PortalView][] = [
  ['#/needs-you', { kind: 'needsYou' }],
  ['#/needs-you/all', { kind: 'needsYou', all: true }],
  ['#/needs-you/item/a%2Fall', { kind: 'needsYou', item: 'a/all' }],
  ['#/runs', { kind: 'runs' }],
  ['#/run/j-1', { kind: 'run', jobId: 'j-1' }],
  ['#/run/j-1/step/2', { kind: 'run', jobId: 'j-1', step: 2 }],
  ['#/sessions', { kind: 'sessions' }],
  ['#/sessions/new', { kind: 'sessions', isNew: true }],
  ['#/session/demo:/abc', { kind: 'session', session: own('demo:/abc') }],
  [
    '#/session/demo:/a%3Fb%20%25?host=host+build+box&card=1',
    { kind: 'session', session: { hostId: 'host build box', uri: 'demo:/a?b %' }, atCard: true },
  ],
  ['#/session/abc', { kind: 'session', session: own('abc') }],
  ['#/jobs', { kind: 'jobs' }],
  ['#/jobs/%3Cb%3EA%2FB', { kind: 'jobs', jobName: '<b>A/B' }],
  ['#/watched', { kind: 'watched' }],
];

describe('the address of the portal’s page', () => {
  for (const [hash, view] of addresses)
    it(`says what is shown: ${hash}`, () => {
      assert.deepEqual(viewOf(hash), view);
      assert.equal(viewHref(view), hash);
    });

  it('leads to what it led to in earlier versions', () => {
    assert.deepEqual(viewOf('#needs-you'), { kind: 'needsYou', all: true });
    assert.deepEqual(viewOf('#host=host+far&session=demo%3A%2Fabc&title=T&card=1'), {
      ...{ kind: 'session', session: { hostId: 'host far', uri: 'demo:/abc' }, atCard: true },
    });
  });

  it('leads somewhere when it is wrong', () => {
    for (const hash of ['', '#', '#x', '#/', '#/nothing']) assert.deepEqual(viewOf(hash), { kind: 'home' }, hash);
    assert.deepEqual(viewOf('#/run/'), { kind: 'runs' });
    assert.deepEqual(viewOf('#/session/'), { kind: 'sessions' });
    for (const step of ['0', '-1', '1.5', 'x', '']) assert.deepEqual(viewOf(`#/run/j/step/${step}`), { kind: 'run', jobId: 'j' }, step);
    assert.deepEqual(viewOf('#/jobs/100%'), { kind: 'jobs', jobName: '100%' });
  });

  it('is in one area of the page, beside its list or in its place', () => {
    const shown = addresses.map(([, view]) => (view.kind === 'home' ? '' : `${areaOf(view)}${hasDetail(view) ? ' detail' : ''}`));
    assert.deepEqual(
      [...new Set(shown)],
      ['needsYou', 'needsYou detail', 'runs', 'runs detail', 'sessions', 'sessions detail', 'jobs', 'jobs detail', 'watched'],
    );
  });

  it('names a session of the portal’s agent by its id', () => {
    assert.deepEqual(withWholeUri(own('abc'), 'demo'), own('demo:/abc'));
    assert.deepEqual(withWholeUri(own('x:/abc'), 'demo'), own('x:/abc'));
  });
});
