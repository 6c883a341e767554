import assert from 'node:assert/strict';
import { sessionsRow } from './sessionRows.ts';
import type { HostNode, SessionNode } from './sessionTree.ts';

const item: SessionNode['item'] = {
  ...{ uri: 'demo:/a', title: 'Fix it', mood: 'unread', archived: false, modifiedAt: 0 },
  ...{ description: 'unread · now', details: ['Fix it', 'demo'] },
} as SessionNode['item'];
const session = (fields: Partial<SessionNode> = {}): SessionNode => ({
  kind: 'session',
  id: 's',
  hostId: 'h',
  stale: false,
  item,
  ...fields,
});
const host = (fields: Partial<HostNode> = {}): HostNode => ({
  ...{ kind: 'host', id: 'h', hostId: 'ws://box', label: 'box', connection: { connected: true, failed: false, text: 'connected' } },
  ...{ children: [{ kind: 'message', id: 'm', hostId: 'h', label: 'No sessions', severity: 'info' }] },
  ...fields,
});

describe('rows of the Sessions tree', () => {
  it('say in their context what the menus offer', () => {
    assert.equal(sessionsRow(session(), () => undefined).context, 'session:active:unread:loose');
    const other = session({ pinned: true, item: { ...item, archived: true, mood: 'idle' } });
    assert.equal(sessionsRow(other, () => undefined).context, 'session:archived:read:pinned');
    assert.equal(sessionsRow(host({ hasSettings: true }), () => 'configured').context, 'host configured connected settings');
    const away = host({ connection: { connected: false, failed: true, text: 'refused' } });
    assert.equal(sessionsRow(away, () => undefined).context, 'host gone disconnected');
  });

  it('open the session, or do what their message offers, and what only says something does nothing', () => {
    assert.equal(sessionsRow(session(), () => undefined).action, 'openSession');
    const message = { kind: 'message', id: 'm', hostId: 'h', label: 'Sign in', severity: 'info' } as const;
    const offering = sessionsRow({ ...message, action: 'signIn' }, () => undefined);
    assert.deepEqual([offering.action, offering.icon], ['signInToGitHub', { id: 'github' }]);
    const saying = sessionsRow({ ...message, severity: 'warning' }, () => undefined);
    assert.deepEqual([saying.action, saying.icon?.id], [undefined, 'warning']);
  });

  it('name the address of a host, unless it tells the user nothing', () => {
    assert.equal(sessionsRow(host(), () => 'configured').tooltip, 'box\nws://box\nconnected');
    assert.equal(sessionsRow(host(), () => 'embedded').tooltip, 'box: Tapline’s own agent host\nconnected');
  });

  it('of a host with nothing below it are others, so that it is open when something comes', () => {
    const ids = [host(), host({ children: [] })].map((node) => sessionsRow(node, () => 'configured').id);
    assert.notEqual(ids[0], ids[1]);
  });
});
