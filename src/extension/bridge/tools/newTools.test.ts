import assert from 'node:assert/strict';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import type { OwnerEvent } from '../../../tap/owner/ownerClient.ts';
import type { OfferedTool } from '../../../tap/wire/owner/ownerMessages.ts';
import { NewTools } from './newTools.ts';
import { ToolSwitches } from './toolSwitches.ts';

const PAGE = 'https://page.example';
const tool = (name: string, fields: Partial<OfferedTool> = {}): OfferedTool => ({
  name,
  description: 'x',
  parameters: {},
  provider: 'page',
  trust: 'external',
  origin: PAGE,
  timeoutMs: 1,
  ...fields,
});

describe('New tools', () => {
  let clock: FakeClock;
  let switches: ToolSwitches;
  let offered: OfferedTool[];
  let said: string[];
  let news: NewTools;
  beforeEach(() => {
    clock = new FakeClock();
    switches = new ToolSwitches(new MemoryStorage());
    offered = [];
    said = [];
    const names = (tools: readonly OfferedTool[]) => tools.map(({ name }) => name).join();
    news = new NewTools({
      clock,
      switches,
      offered: () => offered,
      announce: (tools) => said.push(`announce ${names(tools)}`),
      ask: (tools, code) => said.push(`ask ${names(tools)} ${code}`),
    });
  });
  const pair = (pairingId = 'a', origin: string | undefined = PAGE, outcome: 'paired' | 'denied' = 'paired', code = '012345') => {
    news.heard({
      event: 'pairing/started',
      params: { pairingId, code, ...(origin !== undefined && { origin }), expiresInMs: 1 },
    } as OwnerEvent);
    news.heard({ event: 'pairing/ended', params: { pairingId, outcome } });
  };
  const offer = (...tools: OfferedTool[]) => {
    offered = tools;
    news.update();
    news.update();
    return said.splice(0);
  };

  it('are told of at most twenty times for a provider that offers others again and again', () => {
    const told = Array.from({ length: 30 }, (_, count) => offer(tool(`t${count}`))).flat();
    assert.equal(told.length, 20);
    assert.deepEqual(offer(tool('a', { provider: 'other', origin: 'https://other.example' })), ['announce a']);
  });

  it('are asked about in one question when the user has just paired their page, once', () => {
    pair();
    assert.deepEqual(offer(tool('a'), tool('b')), ['ask a,b 012345']);
    assert.deepEqual(offer(tool('a'), tool('b'), tool('c')), ['announce a,b,c'], 'what comes after that waits for the user');
  });

  it('are announced for each other provider', () => {
    pair();
    pair('b', 'https://denied.example', 'denied');
    const others = [tool('of another origin', { origin: 'https://other.example' }), tool('denied', { origin: 'https://denied.example' })];
    assert.deepEqual(offer(...others), ['announce of another origin', 'announce denied']);
  });

  it('of a program are announced, because one program is not told from another', () => {
    pair('a', '');
    news.heard({ event: 'pairing/started', params: { pairingId: 'b', code: '1', expiresInMs: 1 } });
    news.heard({ event: 'pairing/ended', params: { pairingId: 'b', outcome: 'paired' } });
    const { origin: _, ...program } = tool('a');
    assert.deepEqual(offer(program), ['announce a']);
  });

  it('are announced when they come long after the pairing', () => {
    pair();
    clock.advance(10_001);
    assert.deepEqual(offer(tool('a')), ['announce a']);
  });

  it('are nothing new once they are allowed or off, and again when they change', async () => {
    await switches.setTools([
      { tool: tool('a'), on: true },
      { tool: tool('b'), on: false },
    ]);
    assert.deepEqual(offer(tool('a'), tool('b'), tool('ours', { trust: 'project' })), []);
    assert.equal(news.waitingOf(tool('a')), undefined);
    assert.deepEqual(offer(tool('a', { description: 'y' })), ['announce a']);
    assert.deepEqual(
      news.waitingOf(tool('any'))?.map(({ description }) => description),
      ['y'],
      'as they are now',
    );
  });
});
