import assert from 'node:assert/strict';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { aCall, FakeHostSession } from '../../../../test/fakes/fakeHostSession.ts';
import { keptIn, MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { ProviderMemory } from '../storage/providerMemory.ts';
import { CallProviders } from './callProviders.ts';

const tool = (fields: Partial<OfferedTool> = {}): OfferedTool => ({
  name: 'work',
  description: '',
  parameters: {},
  provider: 'worker',
  trust: 'project',
  timeoutMs: 1_000,
  ...fields,
});

describe('The provider that a call was made for', () => {
  let host: FakeHostSession;
  let providers: CallProviders;
  let storage: MemoryStorage;
  let memory: ProviderMemory | undefined;
  let clock: FakeClock;
  /** As in a window that was loaded again. */
  const load = () => {
    memory?.dispose();
    clock = new FakeClock();
    memory = new ProviderMemory(keptIn(storage, clock));
    return new CallProviders(host, 'host\ndemo:/1', memory);
  };
  beforeEach(() => {
    host = new FakeHostSession();
    storage = new MemoryStorage();
    providers = load();
  });
  const seen = (status: 'waiting' | 'running' | 'done', ...offered: OfferedTool[]) => {
    host.show(aCall({ status }));
    providers.update(offered);
  };
  const check = (current: OfferedTool) => providers.check(aCall(), current);

  it('stays the same over a reload of the window, also where the call was approved meanwhile', () => {
    seen('waiting', tool());
    providers = load();
    seen('running', tool({ provider: 'page', trust: 'external' }));
    assert.deepEqual(
      providers.shown.map(({ provider }) => provider),
      ['worker'],
    );
    assert.throws(() => check(tool({ provider: 'page', trust: 'external' })), { code: 'UNAUTHORIZED' });
    check(tool());
    seen('done', tool());
    clock.advance(250);
    assert.deepEqual(storage.get('tapline.callProviders'), {});
  });

  it('is forgotten where what is kept is none', async () => {
    seen('waiting', tool());
    const [key = ''] = Object.keys(storage.get('tapline.callProviders') as object);
    for (const kept of [null, { provider: 1, trust: 'project' }, { provider: 'x', trust: 'all' }]) {
      await storage.update('tapline.callProviders', { [key]: kept });
      providers = load();
      seen('waiting', tool({ provider: 'other' }));
      assert.equal(providers.shown[0]?.provider, 'other');
    }
  });

  it('is the one that offered the tool when the call was first seen, with its trust', () => {
    seen('waiting', tool());
    seen('running', tool({ provider: 'page', trust: 'external' }));
    check(tool({ description: 'in other words' }));
    assert.throws(() => check(tool({ provider: 'page', trust: 'external' })), {
      code: 'UNAUTHORIZED',
      message:
        'The call of work was meant for the provider worker (program on this computer). The tool belongs to the provider page (paired program) now, so it was not called.',
    });
    assert.throws(() => check(tool({ trust: 'external' })), { code: 'UNAUTHORIZED' });
  });

  it('is another one on another origin, or when a session has started it', () => {
    const page = tool({ trust: 'external', origin: 'https://one.example' });
    seen('waiting', page);
    check(page);
    assert.throws(() => check(tool({ trust: 'external', origin: 'https://two.example' })), {
      message:
        /provider worker \(paired, https:\/\/one\.example\)\. The tool belongs to the provider worker \(paired, https:\/\/two\.example\) now/,
    });
    assert.throws(() => check(tool({ trust: 'external' })), { code: 'UNAUTHORIZED' });
    host.show(aCall({ callId: 'other', status: 'waiting' }));
    providers.update([tool({ spawned: true })]);
    assert.throws(() => providers.check(aCall({ callId: 'other' }), tool()), { code: 'UNAUTHORIZED' });
  });

  it('is shown with its trust, also when the call is over', () => {
    assert.deepEqual(providers.shown, []);
    const page = tool({ trust: 'external', origin: 'https://one.example' });
    seen('waiting', page);
    const { shown } = providers;
    assert.deepEqual(shown, [{ turnId: 'turn', callId: 'call', provider: 'worker', trust: 'external', origin: 'https://one.example' }]);
    seen('running', tool());
    seen('done', tool());
    assert.equal(providers.shown, shown);
  });

  it('is kept while the provider or the host is away', () => {
    seen('waiting', tool());
    seen('waiting');
    host.set({ status: 'stale' });
    providers.update([]);
    host.set({ status: 'live' });
    seen('running', tool({ provider: 'other' }));
    assert.throws(() => check(tool({ provider: 'other' })), { code: 'UNAUTHORIZED' });
  });

  it('is that of the chat of the call, and stays while nobody knows what runs there', () => {
    const chat = 'ahp-chat:/2';
    const [mine, theirs] = [tool(), tool({ provider: 'other' })];
    seen('waiting', mine);
    host.otherCalls = [aCall({ chat, status: 'waiting' })];
    providers.update([theirs]);
    assert.deepEqual(
      providers.shown.map((call) => [call.chat, call.provider]),
      [
        [undefined, 'worker'],
        [chat, 'other'],
      ],
    );
    host.otherCalls = [];
    host.set({ unknownChats: new Set([chat]) });
    for (const restarted of [providers, load()]) {
      providers = restarted;
      providers.update([mine]);
    }
    host.set({ unknownChats: new Set() });
    host.otherCalls = [aCall({ chat })];
    providers.update([mine]);
    check(mine);
    providers.check(aCall({ chat }), theirs);
    assert.throws(() => providers.check(aCall({ chat }), mine), { code: 'UNAUTHORIZED' });
  });

  it('does not run a call that was approved before its card could name a provider', () => {
    seen('waiting');
    seen('running');
    assert.throws(() => check(tool()), { code: 'UNAUTHORIZED', message: /approved before it was known which provider/ });
    seen('running', tool());
    assert.throws(() => check(tool()), { code: 'UNAUTHORIZED' });
    assert.deepEqual(providers.shown, []);
  });

  it('is named once it is there, and then runs what was approved with that name', () => {
    seen('waiting');
    seen('waiting', tool());
    seen('running', tool());
    check(tool());
    assert.throws(() => check(tool({ provider: 'other' })), { code: 'UNAUTHORIZED' });
  });

  it('is found late for a call that ran without a question, and forgotten with its end', () => {
    seen('running');
    seen('running', tool());
    check(tool());
    seen('done', tool());
    check(tool({ provider: 'other' }));
  });
});
