/** A well-behaved provider for the abuse tests, on a connection of its own. Its calls must be answered throughout. */
import assert from 'node:assert/strict';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import type { RawSocket } from '../../support/rawSocket.ts';
import { type RawProvider, TestGateway, type TestOwner } from './gatewayHarness.ts';

export class ControlledGateway extends TestGateway {
  owner0!: TestOwner;
  session!: OwnedSession;
  honest!: RawProvider;
  readonly #sockets: RawSocket[] = [];

  override async start(): Promise<void> {
    await super.start();
    this.owner0 = await this.owner();
    this.session = await this.owner0.session('a');
    this.honest = await this.bound({ name: 'honest', session: 'a', tools: [{ name: 'echo' }] });
    this.honest.socket.on('message', (data) => {
      const { type, id, args } = JSON.parse(String(data)) as { type: string; id: string; args: unknown };
      if (type === 'tool.call') this.honest.say({ type: 'tool.result', id, data: args });
    });
    await this.owner0.tools('a', ['echo']);
  }

  override async stop(): Promise<void> {
    for (const socket of this.#sockets.splice(0)) socket.dispose();
    await super.stop();
  }

  /** Disposed of with the gateway. */
  keep(socket: RawSocket): RawSocket {
    this.#sockets.push(socket);
    return socket;
  }

  get port(): number {
    return this.server.port;
  }

  /** Checks that the well-behaved provider is connected and answers a call. */
  async serves(): Promise<void> {
    assert.deepEqual(await this.session.call('echo', { n: 1 }), { ok: true, data: { n: 1 } });
    assert.equal(this.honest.closeCode, undefined);
  }
}

/** A test with that check before and after. */
export function besides(gateway: () => ControlledGateway, title: string, body: () => Promise<void>, timeoutMs = 30_000): void {
  it(title, async function () {
    this.timeout(timeoutMs);
    await gateway().serves();
    await body();
    await gateway().serves();
  });
}
