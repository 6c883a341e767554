import assert from 'node:assert/strict';
import { RpcError, RpcErrorCode } from '../../../base/jsonRpc.ts';
import type { Logger } from '../../../base/log.ts';
import type { OwnerClient, OwnerState } from '../../../tap/owner/ownerClient.ts';
import { GatewayTraces } from './gatewayTraces.ts';

const OFF = { enabled: false, content: false };
const ON = { enabled: true, content: false };

describe('What the gateway is told about traces', () => {
  const setUp = (answer: () => Promise<unknown> = async () => ({})) => {
    const asked: unknown[] = [];
    const said: string[] = [];
    const log = (level: string) => (text: string) => void said.push(`${level} ${text}`);
    const traces = new GatewayTraces({ debug: log('debug'), warn: log('warn') } as unknown as Logger);
    const owner = {
      state: { kind: 'connecting' } as OwnerState,
      request: (method: string, params: object) => {
        asked.push([method, params]);
        return answer();
      },
    };
    const connect = () => (owner.state = { kind: 'connected' } as OwnerState);
    const tell = (config: typeof OFF) => traces.tell(owner as unknown as OwnerClient, config);
    return { asked, said, connect, tell };
  };

  it('is told to each gateway once, and again when it has changed', () => {
    const { asked, connect, tell } = setUp();
    tell(OFF);
    assert.deepEqual(asked, []);
    connect();
    tell(OFF);
    tell({ ...OFF });
    tell(ON);
    connect();
    tell(ON);
    assert.deepEqual(
      asked,
      [OFF, ON, ON].map((config) => ['traces/configure', config]),
    );
  });

  it('is nothing to an older gateway', async () => {
    const older = setUp(() => Promise.reject(new RpcError(RpcErrorCode.MethodNotFound, 'no such method')));
    older.connect();
    older.tell(ON);
    const failing = setUp(async () => ({ problem: 'no such file' }));
    failing.connect();
    failing.tell(ON);
    await new Promise(setImmediate);
    assert.match(older.said.join(), /^debug /);
    assert.deepEqual(failing.said, ['warn There are no traces: no such file']);
  });
});
