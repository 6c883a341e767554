import assert from 'node:assert/strict';
import { SessionStatus } from '../../ahp/common/status.ts';
import { NO_FILTER } from './sessionFilter.ts';
import { groupedTree, sessionBeside, type SessionGrouping, sessionsOf } from './sessionGroups.ts';
import { sessionNodeId } from './listedSessions.ts';
import { type HostInput, sessionTree, sessionWords } from './sessionTree.ts';

const NOW = new Date(2026, 2, 11, 9, 30).getTime();
const at = (day: number, hour = 12, minute = 0) => new Date(2026, 2, day, hour, minute);
const session = (title: string, modified: Date) => ({
  resource: `demo:/${title}`,
  provider: 'demo',
  title,
  status: SessionStatus.Idle | SessionStatus.IsRead,
  createdAt: modified.toISOString(),
  modifiedAt: modified.toISOString(),
  workingDirectories: ['file:///home/ada/web-app'],
});
const host = (sessions: HostInput['sessions'], changes: Partial<HostInput> = {}): HostInput => ({
  id: 'embedded',
  label: 'This computer',
  connection: { connected: true, failed: false, text: 'connected' },
  sessions,
  listed: true,
  topSession: (uri) => uri,
  ...changes,
});
const grouped = (hosts: HostInput[], groupBy: SessionGrouping, pinned: string[] = [], now = NOW) => {
  const nodes = sessionTree(hosts, { showArchived: false, filter: NO_FILTER, now, hidden: new Set() });
  return groupedTree(nodes, { groupBy, now, pinned: new Set(pinned.map((title) => sessionNodeId('embedded', `demo:/${title}`))) });
};
const rows = (...how: Parameters<typeof grouped>) =>
  grouped(...how).map((node) => [
    node.label,
    node.kind === 'group' ? node.children.map(({ item }) => item.title) : node.children.map(({ label }) => label),
  ]);

describe('groups of sessions', () => {
  const days = [
    session('older', at(3, 23, 59)),
    session('week', at(4, 0, 0)),
    session('late', at(10, 23, 59)),
    session('midnight', at(11, 0, 0)),
    session('ahead', at(12)),
  ];

  it('are by date, with borders at midnight of the local time, the newest first', () => {
    assert.deepEqual(rows([host(days)], 'date'), [
      ['This computer', []],
      ['Today', ['ahead', 'midnight']],
      ['Yesterday', ['late']],
      ['Last week', ['week']],
      ['Older', ['older']],
    ]);
  });

  it('change when the day does', () => {
    const titles = (now: Date) => rows([host([session('late', at(10, 23, 59))])], 'date', [], now.getTime())[1]?.[0];
    assert.deepEqual([titles(at(10, 23, 59)), titles(at(11, 0, 0)), titles(at(12, 0, 0))], ['Today', 'Yesterday', 'Last week']);
  });

  it('leave sessions below their host by project', () => {
    assert.deepEqual(rows([host(days.slice(2))], 'project'), [['This computer', ['web-app']]]);
  });

  it('have a pinned session once, first, in both groupings', () => {
    const sessions = [session('old', at(1)), session('new', at(11))];
    assert.deepEqual(rows([host(sessions)], 'date', ['old']), [
      ['This computer', []],
      ['Pinned', ['old']],
      ['Today', ['new']],
    ]);
    assert.deepEqual(rows([host(sessions)], 'project', ['old', 'new']), [
      ['Pinned', ['new', 'old']],
      ['This computer', []],
    ]);
    assert.deepEqual(
      sessionsOf(grouped([host(sessions)], 'project', ['old'])).map(({ item }) => item.title),
      ['old', 'new'],
    );
  });

  it('name the host of a session where there are several', () => {
    const words = (hosts: HostInput[]) => sessionsOf(grouped(hosts, 'date')).map(sessionWords);
    const one = host([session('a', new Date(NOW))]);
    assert.deepEqual(words([one]), [{ description: 'now', label: 'a, idle, now' }]);
    assert.deepEqual(words([one, host([], { id: 'ws://b/', label: 'b' })]), [
      { description: 'now · This computer', label: 'a, idle, now, on This computer' },
    ]);
  });

  it('are gone through in the order of the rows, round their ends', () => {
    const list = sessionsOf(grouped([host(days)], 'date', ['older']));
    const beside = (title: string, step: 1 | -1) => sessionBeside(list, sessionNodeId('embedded', `demo:/${title}`), step)?.item.title;
    assert.deepEqual(
      [beside('older', 1), beside('ahead', -1), beside('older', -1), beside('week', 1)],
      ['ahead', 'older', 'week', 'older'],
    );
    assert.deepEqual([beside('gone', 1), beside('gone', -1)], ['older', 'week']);
    assert.equal(sessionBeside([], undefined, 1), undefined);
  });

  it('leave the messages of a host below it', () => {
    const lost = host([session('a', at(11))], { listError: 'no answer' });
    assert.deepEqual(rows([lost], 'date')[0], ['This computer', ['The sessions could not be listed: no answer']]);
    assert.deepEqual(rows([host([])], 'date'), [['This computer', ['No sessions yet. Start one.']]]);
  });
});
