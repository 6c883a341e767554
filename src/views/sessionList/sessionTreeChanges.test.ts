import assert from 'node:assert/strict';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { NO_FILTER } from './sessionFilter.ts';
import { groupedTree, type SessionGrouping, sessionsOf } from './sessionGroups.ts';
import { type HostInput, sessionTree } from './sessionTree.ts';
import type { SessionsNode } from './sessionRows.ts';
import { updatedTree } from '../tree/treeChanges.ts';

const MINUTE = 60_000;
const NOW = new Date(2026, 10, 26, 12).getTime();

const summary = (name: string, ago: number, fields: Partial<SessionSummary> = {}): SessionSummary => ({
  resource: `demo:/${name}`,
  provider: 'demo',
  title: name,
  status: 33,
  createdAt: new Date(NOW - ago).toISOString(),
  modifiedAt: new Date(NOW - ago).toISOString(),
  workingDirectories: ['file:///home/ada/web-app'],
  ...fields,
});
interface TreeOptions {
  now?: number;
  text?: string;
  pinned?: string[];
  groupBy?: SessionGrouping;
  hasSettings?: boolean;
}
const treeOf = (
  sessions: SessionSummary[],
  { now = NOW, text = 'connected', pinned = [], groupBy = 'date', hasSettings = false }: TreeOptions = {},
) => {
  const connection = { connected: true, failed: false, text };
  const host: HostInput = { id: 'h', label: 'This computer', connection, sessions, listed: true, hasSettings, topSession: (uri) => uri };
  const hosts = sessionTree([host], { showArchived: true, filter: NO_FILTER, now, hidden: new Set() });
  return groupedTree(hosts, { groupBy, now, pinned: new Set(pinned.map((name) => `h\nsession\ndemo:/${name}`)) });
};
const change = (before: SessionsNode[], now: SessionsNode[]) => {
  const { rows, changes } = updatedTree(before, now);
  // Whatever was drawn again, the tree is the new one.
  assert.deepEqual(rows, now);
  return changes === 'all' ? 'all' : changes.map((row) => (row.kind === 'session' ? row.item.title : 'label' in row ? row.label : ''));
};

describe('changes of the Sessions tree', () => {
  const sessions = () => [
    summary('new', MINUTE),
    summary('earlier', 90 * MINUTE),
    ...Array.from({ length: 50 }, (_, at) => summary(`old ${at}`, 10 ** 9 + at)),
  ];

  it('draws nothing again when nothing has changed, also where the host has listed everything again', () => {
    const listed = sessions();
    assert.deepEqual(change(treeOf(listed), treeOf(listed)), []);
    assert.deepEqual(change(treeOf(listed), treeOf(sessions())), []);
  });

  it('draws a relative time again when its words change, and no other', () => {
    const listed = sessions();
    assert.deepEqual(change(treeOf(listed), treeOf(listed, { now: NOW + MINUTE / 2 })), []);
    assert.deepEqual(change(treeOf(listed), treeOf(listed, { now: NOW + MINUTE })), ['new']);
    const all = treeOf(listed, { now: NOW + 30 * MINUTE });
    assert.deepEqual(change(treeOf(listed), all), ['new', 'earlier']);
    const [first, second] = sessionsOf(all);
    assert.deepEqual([first?.item.description, second?.item.description], ['31m', '2h']);
  });

  it('draws the session again whose state has changed, and the host whose words have', () => {
    const listed = sessions();
    const running = [listed[0], { ...listed[1], status: 8 }, ...listed.slice(2)] as SessionSummary[];
    assert.deepEqual(change(treeOf(listed), treeOf(running)), ['earlier']);
    assert.deepEqual(change(treeOf(listed), treeOf(listed, { text: 'reconnecting in 3 s' })), ['This computer']);
  });

  it('draws a host again when it gets settings, which its menu offers', () => {
    const listed = sessions();
    assert.deepEqual(change(treeOf(listed), treeOf(listed, { hasSettings: true })), ['This computer']);
    assert.deepEqual(change(treeOf(listed, { hasSettings: true }), treeOf(listed, { hasSettings: true })), []);
  });

  it('draws a group again where a session comes, goes or changes its place, and the folder of a list by project', () => {
    const listed = sessions();
    const first = summary('first', 0);
    assert.deepEqual(change(treeOf(listed), treeOf([first, ...listed])), ['Today']);
    assert.deepEqual(change(treeOf(listed), treeOf(listed.slice(1))), ['Today']);
    assert.deepEqual(change(treeOf(listed), treeOf(listed.with(1, summary('earlier', 0)))), ['Today']);
    const byProject = { groupBy: 'project' } as const;
    assert.deepEqual(change(treeOf(listed, byProject), treeOf([first, ...listed], byProject)), ['web-app']);
  });

  it('draws everything again when a session moves between groups, a group comes or goes, or very many rows change', () => {
    const listed = sessions();
    assert.equal(change(treeOf(listed), treeOf(listed.with(5, summary('old 3', 0)))), 'all');
    assert.equal(change(treeOf(listed), treeOf(listed, { pinned: ['new'] })), 'all');
    assert.equal(change(treeOf(listed), treeOf(listed.slice(0, 2))), 'all');
    assert.equal(change(treeOf([]), treeOf(listed)), 'all');
    const many = Array.from({ length: 400 }, (_, at) => summary(`s${at}`, MINUTE + at));
    assert.equal(change(treeOf(many), treeOf(many, { now: NOW + MINUTE })), 'all');
  });

  it('leaves a row the object that it was, with what is known of it now', () => {
    const listed = sessions();
    const before = updatedTree([], treeOf(listed, { pinned: ['new'] })).rows;
    const [session] = sessionsOf(before);
    const { rows } = updatedTree(before, treeOf(listed.with(0, summary('new', 0)), { pinned: ['new'] }));
    assert.equal(sessionsOf(rows as typeof before)[0], session);
    assert.equal(session?.item.description, 'now');
  });

  it('takes two sessions with the same address for two rows', () => {
    const listed = [summary('a', 0), summary('a', 0)];
    const { rows } = updatedTree(treeOf(listed), treeOf(listed));
    const [first, second] = sessionsOf(rows as ReturnType<typeof treeOf>);
    assert.notEqual(first, second);
  });
});
