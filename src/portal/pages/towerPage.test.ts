import assert from 'node:assert/strict';
import type { TowerMessage, TowerShellMessage } from '../../webviews/controlTower/protocol.ts';
import { eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakePage, FakeShell } from '../../../test/fakes/fakePage.ts';
import { openTower, type WatchedGateway, type WatchedStatus } from './towerPage.ts';

describe('the control tower at a portal', () => {
  let page: FakePage<TowerShellMessage>;
  let clock: FakeClock;
  let close: () => void;
  beforeEach(() => {
    page = new FakePage();
    clock = new FakeClock();
  });
  afterEach(() => close());

  const open = (gateway?: Omit<WatchedGateway, 'dispose'>) => {
    const port = {
      post: async (messages: readonly unknown[]) => void page.port.post(messages as TowerShellMessage[]),
      onMessage: page.port.onMessage,
    };
    const look = gateway && (() => ({ ...gateway, dispose: () => undefined }));
    const tower = openTower({ ...port, tell: () => undefined, end: () => undefined }, new FakeShell(), clock, look);
    close = () => tower.dispose();
    page.say({ type: 'ready' });
  };
  const shown = () => page.messages.findLast((message): message is TowerMessage => message.type === 'sessions');

  it('says how to have shown what is watched, where the portal was not started so', () => {
    open();
    assert.match(shown()?.problem ?? '', /start the portal with --watched/);
    assert.equal(clock.pending, 0);
  });

  it('keeps what was seen last while the gateway cannot be asked', async () => {
    const seen = { sessions: [{ id: 's', label: 'Fix the login' }], traces: { isOn: true } };
    let answer: () => Promise<WatchedStatus> = async () => seen;
    const refused = () => Promise.reject(new Error('The gateway did not answer.'));
    open({ status: () => answer(), records: refused });
    await eventually(() => shown()?.elsewhere.length === 2, 'the session');
    answer = refused;
    clock.advance(2_000);
    await eventually(() => shown()?.problem === 'Below is what was seen last. The gateway did not answer.', 'the problem');
    assert.deepEqual(
      shown()?.elsewhere.map(({ title }) => title),
      ['Fix the login', 'Runs of portals'],
    );
    answer = async () => ({ sessions: [] });
    clock.advance(2_000);
    await eventually(() => shown()?.elsewhere.length === 0, 'that it has gone');
    assert.equal(shown()?.problem, undefined);
  });
});
