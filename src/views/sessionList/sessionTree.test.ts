import { connectionFailure } from '../../ahp/client/connection/connectionState.ts';
import assert from 'node:assert/strict';
import { hostProblem } from '../hosts/hostProblem.ts';
import { channelDialect } from '../../ahp/dialects/channels/channelDialect.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { v1Dialect } from '../../ahp/dialects/v1/v1Dialect.ts';
import { relativeTime } from '../text/time/relativeTime.ts';
import { NO_FILTER } from './sessionFilter.ts';
import { sessionItem } from './sessionItem.ts';
import { type HostInput, sessionTree, sessionWords } from './sessionTree.ts';

const NOW = 1_800_000_000_000;
const iso = (time: number) => new Date(time).toISOString();
const summary = (changes: Partial<SessionSummary> = {}): SessionSummary => ({
  resource: 'demo:/1',
  provider: 'demo',
  title: 'Fix it',
  status: SessionStatus.Idle | SessionStatus.IsRead,
  createdAt: iso(NOW - 60_000),
  modifiedAt: iso(NOW - 60_000),
  workingDirectories: ['file:///home/ada/web-app'],
  ...changes,
});
const host = (changes: Partial<HostInput> = {}): HostInput => ({
  id: 'embedded',
  label: 'This computer',
  connection: { connected: true, failed: false, text: 'connected' },
  sessions: [],
  listed: true,
  topSession: v1Dialect.topSession,
  ...changes,
});
const options = { showArchived: false, filter: NO_FILTER, now: NOW, hidden: new Set<string>() };

describe('session item', () => {
  const mood = (status: number) => sessionItem(summary({ status }), NOW).mood;

  it('says the most urgent thing', () => {
    assert.equal(mood(SessionStatus.InputNeeded | SessionStatus.IsRead), 'needsYou');
    assert.equal(mood(SessionStatus.InProgress), 'running');
    assert.equal(mood(SessionStatus.Error), 'error');
    assert.equal(mood(SessionStatus.Idle), 'unread');
    assert.equal(mood(SessionStatus.Idle | SessionStatus.IsRead), 'idle');
  });

  it('tells the reason of an error where the host gives one', () => {
    const activity = 'Update Tapline to open it.';
    const failed = sessionItem(summary({ status: SessionStatus.Error, activity }), NOW);
    assert.equal(failed.description, activity);
    assert.ok(failed.details.includes(`Reason: ${activity}`));
    assert.equal(sessionItem(summary({ status: SessionStatus.Error }), NOW).description, '1m');
  });

  it('says that a command runs on when its turn has ended', () => {
    const item = sessionItem(summary(), NOW, 2);
    assert.equal(item.description, '2 background tasks · 1m');
    assert.ok(item.details.includes('Running: 2 background tasks'));
    assert.equal(sessionItem(summary({ status: SessionStatus.InProgress, activity: 'Testing' }), NOW, 2).description, 'Testing');
    const [row] = sessionTree([host({ sessions: [summary()], running: new Map([['demo:/1', 1]]) })], options)[0]?.children ?? [];
    assert.ok(row?.kind === 'project' && row.children[0]?.item.description.startsWith('1 background task · '));
  });

  it('describes what it does while it runs and what it changed afterwards', () => {
    assert.equal(sessionItem(summary({ status: SessionStatus.InProgress, activity: 'Editing a.ts' }), NOW).description, 'Editing a.ts');
    const changes = { files: 1, additions: 4, deletions: 1 };
    assert.equal(sessionItem(summary({ changes }), NOW).description, '1 file +4 −1 · 1m');
  });
});

describe('session tree', () => {
  it('groups by project, newest first', () => {
    const [node] = sessionTree(
      [
        host({
          sessions: [
            summary({ resource: 'demo:/old', modifiedAt: iso(NOW - 5000) }),
            summary({ resource: 'demo:/new', modifiedAt: iso(NOW - 1000) }),
            summary({ resource: 'demo:/api', project: { uri: 'file:///home/ada/api', displayName: 'api' } }),
          ],
        }),
      ],
      options,
    );
    assert.deepEqual(
      node?.children.map((child) => [child.label, child.kind === 'project' && child.children.map(({ item }) => item.uri)]),
      [
        ['api', ['demo:/api']],
        ['web-app', ['demo:/new', 'demo:/old']],
      ],
    );
  });

  it('gives the same session URI on two hosts two identities', () => {
    const nodes = sessionTree([host({ sessions: [summary()] }), host({ id: 'ws://other/', sessions: [summary()] })], options);
    const ids = nodes
      .flatMap(({ children }) => children.flatMap((child) => (child.kind === 'project' ? child.children : [])))
      .map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  });

  it('leaves out subagents and, unless asked for, archived sessions', () => {
    const sessions = [
      summary({ resource: 'demo:/1/subagent/t1' }),
      summary({ resource: 'demo:/2', status: SessionStatus.Idle | SessionStatus.IsArchived }),
    ];
    const [hidden] = sessionTree([host({ sessions })], options);
    assert.deepEqual(
      hidden?.children.map((child) => child.kind === 'message' && [child.label, child.details, child.action]),
      [['Show archived sessions', 'All sessions of this host are archived, or hidden in this window.', 'toggleArchived']],
    );
    const [shown] = sessionTree([host({ sessions })], { ...options, showArchived: true });
    assert.deepEqual(
      shown?.children.flatMap((child) => (child.kind === 'project' ? child.children.map(({ item }) => item.uri) : [])),
      ['demo:/2'],
    );
    const [channels] = sessionTree([host({ sessions, topSession: channelDialect.topSession })], options);
    assert.deepEqual(
      channels?.children.flatMap((child) => (child.kind === 'project' ? child.children.map(({ item }) => item.uri) : [])),
      ['demo:/1/subagent/t1'],
    );
  });

  it('leaves out what the user hides in this window, unless it runs or needs the user', () => {
    const hidden = new Set(['embedded\nsession\ndemo:/1']);
    const shown = (status: number, showArchived = false) => {
      const [node] = sessionTree([host({ sessions: [summary({ status })] })], { ...options, hidden, showArchived });
      return node?.children.flatMap((child) => (child.kind === 'project' ? child.children.map(({ item }) => item) : [])) ?? [];
    };
    assert.deepEqual(shown(SessionStatus.Idle), []);
    assert.equal(shown(SessionStatus.InputNeeded).length, 1);
    assert.equal(shown(SessionStatus.InProgress).length, 1);
    const [item] = shown(SessionStatus.Idle, true);
    assert.equal(item?.archived, true);
    assert.ok(item?.details.includes('Hidden in this window'));
  });

  it('filters by title and folder', () => {
    const sessions = [summary({ resource: 'demo:/1', title: 'Login' }), summary({ resource: 'demo:/2', title: 'Docs' })];
    const titles = (text: string) =>
      sessionTree([host({ sessions })], { ...options, filter: { ...NO_FILTER, text } }).flatMap(({ children }) =>
        children.flatMap((child) => (child.kind === 'project' ? child.children.map(({ item }) => item.title) : [child.label])),
      );
    assert.deepEqual(titles('LOG'), ['Login']);
    assert.deepEqual(titles('web-app').sort(), ['Docs', 'Login']);
    assert.deepEqual(titles('nothing'), ['No session matches the filter.']);
  });

  it('has one sentence and one action for every empty and failed state', () => {
    const message = (input: Partial<HostInput>) => {
      const child = sessionTree([host(input)], options)[0]?.children[0];
      return child?.kind === 'message' ? [child.severity, child.action] : child;
    };
    assert.deepEqual(message({}), ['info', 'newSession']);
    assert.deepEqual(message({ listed: false }), ['info', undefined], 'that it is being listed');
    assert.deepEqual(message({ listError: 'no' }), ['error', 'refresh']);
    assert.deepEqual(message({ listError: 'no', needsSignIn: true }), ['info', 'signIn']);
    assert.deepEqual(message({ isCut: true, sessions: [summary()] }), ['warning', 'refresh']);
  });

  it('says why a host is not connected in a row of its own, and each remedy in another', () => {
    const problem = hostProblem(connectionFailure('unreachable', 'It cannot be reached. Start it.', 'connection refused'), 'configured');
    const rows = (failed: boolean) =>
      sessionTree([host({ sessions: [summary()], connection: { connected: false, failed, text: 'x', problem } })], options)[0]?.children;
    const [what, ...more] = rows(false) ?? [];
    assert.deepEqual(what && { ...what, id: '' }, {
      kind: 'message',
      id: '',
      hostId: 'embedded',
      label: 'Connection refused',
      details: 'It cannot be reached. Start it.',
      severity: 'warning',
    });
    assert.deepEqual(
      more.map((row) => row.kind === 'message' && [row.label, row.action]),
      [['Try again now', 'reconnect'], ['Edit address…', 'editHost'], false],
      'and what was known of its sessions',
    );
    const [error] = rows(true) ?? [];
    assert.equal(error?.kind === 'message' && error.severity, 'error');
    const ids = rows(true)?.map(({ id }) => id) ?? [];
    assert.equal(new Set(ids).size, ids.length);
  });

  it('keeps the last known sessions of a lost host and marks them', () => {
    const [node] = sessionTree(
      [host({ sessions: [summary()], connection: { connected: false, failed: false, text: 'reconnecting' } })],
      options,
    );
    const project = node?.children[0];
    assert.equal(project?.kind === 'project' && project.children[0]?.stale, true);
  });

  it('marks them too while a connected host does not list them', () => {
    const stale = (input: Partial<HostInput>) =>
      sessionTree([host({ sessions: [summary()], ...input })], options)[0]?.children.flatMap((child) =>
        child.kind === 'project' ? child.children.map((session) => session.stale) : [],
      );
    assert.deepEqual(stale({}), [false]);
    assert.deepEqual(stale({ needsSignIn: true, listError: 'Authentication is required' }), [true]);
    assert.deepEqual(stale({ listError: 'no answer' }), [true]);
  });

  it('says first that something is not of now, where a narrow row does not cut it, and says nothing twice', () => {
    const words = (status: number, connected: boolean) => {
      const connection = { connected, failed: false, text: 'x' };
      const [node] = sessionTree([host({ sessions: [summary({ status, modifiedAt: iso(NOW) })], connection })], options);
      const [child] = node?.children ?? [];
      const [session] = child?.kind === 'project' ? child.children : [];
      return session && sessionWords(session);
    };
    assert.deepEqual(words(SessionStatus.InputNeeded, true), { description: 'needs you · now', label: 'Fix it, needs you · now' });
    assert.deepEqual(words(SessionStatus.InputNeeded, false), {
      description: 'last known · needs you · now',
      label: 'Fix it, last known: needs you · now',
    });
    const idle = SessionStatus.Idle | SessionStatus.IsRead;
    assert.deepEqual(words(idle, true), { description: 'now', label: 'Fix it, idle, now' });
  });
});

describe('a tree of 10,000 sessions', () => {
  it('has all of them in it', () => {
    const sessions = Array.from({ length: 10_000 }, (_, i) => summary({ resource: `demo:/${i}`, modifiedAt: iso(NOW - i * 1e6) }));
    const [project] =
      sessionTree([host({ sessions })], { showArchived: true, filter: NO_FILTER, now: NOW, hidden: new Set<string>() })[0]?.children ?? [];
    assert.equal(project?.kind === 'project' && project.children.length, 10_000);
  });
});

describe('relative time', () => {
  it('is short', () => {
    const day = 86_400_000;
    assert.deepEqual(
      [0, 61_000, 3 * 3_600_000, day, 4 * day].map((age) => relativeTime(NOW - age, NOW)),
      ['now', '1m', '3h', 'yesterday', '4d'],
    );
    assert.equal(relativeTime(Number.NaN, NOW), '');
  });
});
