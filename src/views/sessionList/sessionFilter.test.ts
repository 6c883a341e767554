import assert from 'node:assert/strict';
import { filterText, fits, isFiltered, NO_FILTER, type SessionFilter } from './sessionFilter.ts';
import type { SessionMood } from './sessionItem.ts';

const one = (mood: SessionMood, archived = false) => ({
  ...{ item: { title: 'Fix the Login', mood, archived }, provider: 'demo', hostId: 'h', folder: 'web-app' },
});
const filter = (changes: Partial<SessionFilter>): SessionFilter => ({ ...NO_FILTER, ...changes });

describe('filter of sessions', () => {
  it('fits everything that is not archived while nothing is chosen', () => {
    assert.ok(!isFiltered(NO_FILTER));
    assert.ok(fits(one('idle'), NO_FILTER, false));
    assert.ok(!fits(one('idle', true), NO_FILTER, false));
    assert.ok(fits(one('idle', true), NO_FILTER, true));
  });

  it('takes one of the chosen states', () => {
    const chosen = filter({ states: ['running', 'error'] });
    assert.ok(fits(one('running'), chosen, false));
    assert.ok(fits(one('error'), chosen, false));
    assert.ok(!fits(one('idle'), chosen, false));
    assert.ok(fits(one('unread'), filter({ states: ['done'] }), false), 'what is unread has ended');
    assert.ok(!fits(one('idle'), filter({ states: ['unread'] }), false));
  });

  it('shows archived sessions when they are asked for, and only those', () => {
    assert.ok(fits(one('idle', true), filter({ states: ['archived'] }), false));
    assert.ok(!fits(one('idle'), filter({ states: ['archived'] }), false));
  });

  it('needs one of each kind', () => {
    const chosen = filter({ text: 'LOGIN', agents: ['demo'], hosts: ['h'] });
    assert.ok(fits(one('idle'), chosen, false));
    for (const other of [
      { ...chosen, text: 'nowhere' },
      { ...chosen, agents: ['x'] },
      { ...chosen, hosts: ['x'] },
    ])
      assert.ok(!fits(one('idle'), other, false));
    assert.ok(fits(one('idle'), filter({ text: 'web' }), false), 'the folder counts');
  });

  it('says in words what is shown', () => {
    const names = { agents: new Map([['demo', 'Demo\nagent']]), hosts: new Map([['h', 'This computer']]) };
    const chosen = filter({ text: 'login', states: ['running', 'needsYou'], agents: ['demo'], hosts: ['h'] });
    assert.equal(filterText(chosen, names), 'Running or Needs you · Demo agent · This computer · “login”');
  });
});
