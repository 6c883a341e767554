import assert from 'node:assert/strict';
import { connectedProvider, type GatewayStatus, gatewayStatus } from '../../../../test/fakes/gatewayStatus.ts';
import { nullLogger } from '../../../base/log.ts';
import type { GatewayHealth } from '../../../views/providers/facts.ts';
import { isHealthShown } from './gatewayHealth.ts';
import { ProvidersShown } from './providersShown.ts';

type Provider = GatewayStatus['providers'][number];

const up = (fields: Partial<GatewayStatus> = {}): GatewayHealth => ({
  kind: 'up',
  roundTripMs: 1,
  status: gatewayStatus({ providers: [provider('tap', 'internal'), provider('editor', 'internal')], ...fields }),
});
const provider = (name: string, trust: Provider['trust']) => connectedProvider(name, { trust, tools: [`${name}_do`] });

describe('What there is to know of providers', () => {
  const setUp = (kept = new Map<string, unknown>()) => {
    const storage = { get: (key: string) => kept.get(key), update: async (key: string, value: unknown) => void kept.set(key, value) };
    return { kept, shown: new ProvidersShown(storage, nullLogger) };
  };

  it('is not shown for what is part of Tapline, whatever the state of the gateway', () => {
    const { shown } = setUp();
    for (const health of [{ kind: 'off', why: 'unused' }, { kind: 'connecting' }, { kind: 'down', error: 'port' }, up()] as const)
      shown.look(health);
    assert.equal(shown.isShown, false);
  });

  it('is shown from the first program, page, pairing, project provider or earlier token of the user on', () => {
    for (const fields of [
      { providers: [provider('dice', 'project')] },
      { providers: [provider('page', 'external')] },
      { pairings: [{ id: 'p', connected: false }] as unknown as GatewayStatus['pairings'] },
      { consents: [{ provider: 'ci', decision: 'allowed' }] as unknown as GatewayStatus['consents'] },
      { projectProviders: [{ sessionId: 's', name: 'ci', state: 'failed' }] as unknown as GatewayStatus['projectProviders'] },
      { earlierTokens: [{ id: 't' }] as unknown as NonNullable<GatewayStatus['earlierTokens']> },
    ]) {
      const { shown } = setUp();
      shown.look(up(fields));
      assert.ok(shown.isShown, Object.keys(fields).join());
    }
  });

  it('stays shown when the program has gone, also in the next window', () => {
    const { shown, kept } = setUp();
    shown.look(up({ providers: [provider('dice', 'project')] }));
    shown.look(up());
    assert.ok(shown.isShown);
    assert.ok(setUp(kept).shown.isShown);
  });

  it('is shown to a user who asks', () => {
    const { shown, kept } = setUp();
    shown.show();
    assert.ok(shown.isShown && setUp(kept).shown.isShown);
  });

  it('is not in the status bar before that, unless the gateway fails or the user has stopped it', () => {
    const inStatusBar = (areShown: boolean) =>
      [
        up(),
        { kind: 'connecting' },
        { kind: 'down', error: 'port' },
        ...(['user', 'setting', 'unused'] as const).map((why) => ({ kind: 'off', why })),
      ].map((health) => isHealthShown(health as GatewayHealth, areShown));
    assert.deepEqual(inStatusBar(false), [false, false, true, true, false, false]);
    assert.deepEqual(inStatusBar(true), [true, true, true, true, false, false]);
  });
});
