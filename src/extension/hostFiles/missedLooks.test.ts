import assert from 'node:assert/strict';
import { Emitter } from '../../base/event.ts';
import { type Look, MissedLooks } from './missedLooks.ts';

describe('What could not be looked at on a host', () => {
  const begin = () => {
    const changed = new Emitter<void>();
    const states = new Map<string, string>();
    const hosts = {
      get: (id: string) => {
        const kind = states.get(id);
        return kind === undefined ? undefined : { client: { state: { kind } } };
      },
      onDidChange: changed.event,
    };
    const told: [string, string[]][] = [];
    const missed = new MissedLooks((hostId, paths) => told.push([hostId, paths]));
    /** Undefined: it is not listed. */
    const become = (kind: string | undefined, id = 'h') => {
      if (kind === undefined) states.delete(id);
      else states.set(id, kind);
      changed.fire();
    };
    return {
      missed,
      told,
      become,
      note: (path: string, hostId = 'h') => missed.note(hosts, { hostId, path, deed: 'stat' }),
      lose: (deed: Look['deed']) => missed.noteLost(hosts, { hostId: 'h', path: '/a', deed }),
    };
  };

  it('is told once, when its host is connected', () => {
    const { note, become, told } = begin();
    become('reconnecting');
    for (const path of ['/a', '/b', '/a']) note(path);
    become('connecting');
    assert.deepEqual(told, []);
    become('connected');
    become('reconnecting');
    become('connected');
    assert.deepEqual(told, [['h', ['/a', '/b']]]);
  });

  it('is told also where the host was not listed, and only of that host', () => {
    const { note, become, told } = begin();
    note('/a');
    note('/b', 'other');
    become('connected');
    assert.deepEqual(told, [['h', ['/a']]]);
    become('connected', 'other');
    assert.deepEqual(told[1], ['other', ['/b']]);
  });

  it('is told after the connection that the request was lost with, which its client may say later', () => {
    const { note, lose, become, told } = begin();
    become('connected');
    lose('list');
    become('reconnecting');
    note('/b');
    become('connected');
    assert.deepEqual(told, [['h', ['/a', '/b']]]);
  });

  it('is not asked for again and again where a connected host does not answer', () => {
    const { lose, become, told } = begin();
    become('connected');
    lose('list');
    become('connected');
    assert.deepEqual(told, []);
  });

  it('is told once where the connection is lost each time that it is asked for, until the host answers', () => {
    const { missed, lose, become, told } = begin();
    const drop = (deed: Look['deed']) => {
      lose(deed);
      become('reconnecting');
      become('connected');
    };
    become('connected');
    drop('list');
    missed.answered({ hostId: 'h', path: '/a', deed: 'stat' });
    drop('list');
    assert.equal(told.length, 1);
    drop('stat');
    assert.equal(told.length, 2);
    missed.answered({ hostId: 'h', path: '/a', deed: 'list' });
    drop('list');
    assert.equal(told.length, 3);
  });

  it('may be missed again by what looks at it when it is told', () => {
    const { note, become, told, missed } = begin();
    become('reconnecting');
    note('/a');
    become('connected');
    become('reconnecting');
    note('/a');
    become('connected');
    assert.deepEqual(told, [
      ['h', ['/a']],
      ['h', ['/a']],
    ]);
    become('reconnecting');
    note('/a');
    missed.dispose();
    become('connected');
    assert.equal(told.length, 2);
  });

  it('is bounded', () => {
    const { note, become, told } = begin();
    for (let at = 0; at < 1_001; at++) note(`/${at}`);
    become('connected');
    assert.equal(told[0]?.[1].length, 1_000);
  });
});
