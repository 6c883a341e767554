import assert from 'node:assert/strict';
import { knownCalls, runnerOf } from './callProvider.ts';

describe('Who runs a call', () => {
  it('is a provider only for calls that this window runs, as the bridge knows them', () => {
    const known = knownCalls({ clientId: 'me', calls: [{ turnId: 't', callId: 'c', provider: 'ci', trust: 'project' }] });
    const by = (clientId: string) => ({ kind: 'client' as const, clientId });
    const call = { toolCallId: 'c', contributor: by('me') };
    assert.deepEqual(runnerOf(known, 't', call), { icon: 'plug', provider: 'ci', text: 'program on this computer' });
    for (const [calls, turnId, other, words] of [
      [known, 't', { toolCallId: 'c' }, /agent’s host/],
      [known, 't', { ...call, contributor: by('other') }, /another program/],
      [known, 't', { ...call, contributor: { kind: 'mcp', customizationId: 'm' } }, /MCP server/],
      [known, 't', { ...call, contributor: { kind: 'later' as never } }, /not known who/],
      [knownCalls(undefined), 't', call, /another program/],
      [known, 'another', call, /not known/],
      [known, 't', { ...call, toolCallId: 'another' }, /not known/],
    ] as const) {
      const { provider, text } = runnerOf(calls, turnId, other);
      assert.equal(provider, undefined);
      assert.match(text, words);
    }
  });

  it('is told by chat, where a session has several', () => {
    const call = { turnId: 't', callId: 'c', provider: 'ci', trust: 'project' } as const;
    const bridge = {
      clientId: 'me',
      calls: [call, { ...call, chat: 'chat:/1', provider: 'one' }, { ...call, chat: 'chat:/2', provider: 'two' }],
    };
    const names = [knownCalls(bridge), knownCalls(bridge, 'chat:/1'), knownCalls(bridge, 'chat:/2')].map(({ calls }) =>
      [...calls.values()].map(({ provider }) => provider).join(),
    );
    assert.deepEqual(names, ['ci', 'one', 'two']);
  });
});
