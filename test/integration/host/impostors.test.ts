/** Another program on the port where a host or a gateway was, or should be. Each test also reaches the real one with the same client. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { english } from '../../../src/base/text/phrase.ts';
import { AgentHostClient, connectNodeTransport } from '../../../src/ahp/index.ts';
import { type DaemonRecord, readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { ownIdentity, startTimeOf } from '../../../src/base/daemon/processIdentity.ts';
import { embeddedHostTransport } from '../../../src/extension/hosts/embeddedHost.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import { createProvider } from '../../../src/tap/provider/providerNode.ts';
import { eventually } from '../../fakes/eventually.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { startHostProcess } from '../../support/hostProcess.ts';
import { Impostor } from '../../support/impostor.ts';
import { untilGone } from '../../support/processes.ts';
import { reached, TestOwner } from '../gateway/gatewayHarness.ts';

const root = join(import.meta.dirname, '../../..');
const WAIT_MS = 15_000;

/** Neither the whole secret nor half of it. */
function assertUntold({ heard }: Impostor, ...secrets: string[]): void {
  for (const secret of secrets) {
    assert.ok(secret.length >= 40);
    assert.ok(!heard.includes(secret.slice(0, 20)) && !heard.includes(secret.slice(-20)), `it was told: ${heard}`);
  }
}

/** Environment of this process while a test runs. */
class Environment {
  readonly #before = new Map<string, string | undefined>();
  set(values: Record<string, string | undefined>): void {
    for (const [name, value] of Object.entries(values)) {
      if (!this.#before.has(name)) this.#before.set(name, process.env[name]);
      this.#put(name, value);
    }
  }
  restore(): void {
    for (const [name, value] of this.#before) this.#put(name, value);
    this.#before.clear();
  }
  #put(name: string, value: string | undefined): void {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}

describe('a stranger on a port', () => {
  const environment = new Environment();
  const impostors: Impostor[] = [];
  const bystanders: ChildProcess[] = [];
  afterEach(async () => {
    environment.restore();
    for (const impostor of impostors.splice(0)) await impostor.stop();
    for (const child of bystanders.splice(0)) child.kill('SIGKILL');
  });
  const impostorOn = async (options?: Parameters<typeof Impostor.start>[0]) => {
    const impostor = await Impostor.start(options);
    impostors.push(impostor);
    return impostor;
  };
  /** A process that has nothing to do with any of this, and has got the number of one that has gone. */
  const bystander = async (): Promise<number> => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    bystanders.push(child);
    await new Promise((resolve) => child.once('spawn', resolve));
    return child.pid as number;
  };

  describe('of the built-in agent host', function () {
    this.timeout(60_000);
    let folder: string;
    let lockFile: string;
    const connect = async () => {
      const signal = AbortSignal.timeout(WAIT_MS);
      const line = await embeddedHostTransport(root, nullLogger)('ws://127.0.0.1', signal);
      line.close();
    };
    const record = () => readDaemonRecord(lockFile) as DaemonRecord;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tapline-impostor-'));
      lockFile = join(folder, 'host.lock.json');
      environment.set({ TAPLINE_HOME: folder });
    });
    afterEach(async () => {
      await endDaemons(lockFile);
      rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
    });

    for (const [title, disguise] of [
      ['whose process number another process has', async () => ({ pid: await bystander() })],
      [
        'whose process number another process has, where start times are not known',
        async () => ({ pid: await bystander(), process: { ...ownIdentity(), startTime: '' } }),
      ],
      [
        'even where everything in the lock file fits',
        async () => {
          const pid = await bystander();
          return { pid, process: { ...ownIdentity(), startTime: startTimeOf(pid) ?? '' } };
        },
      ],
    ] as const) {
      it(`gets no token after a host that was killed, ${title}`, async () => {
        await connect();
        const killed = record();
        process.kill(killed.pid, 'SIGKILL');
        await untilGone(killed.pid);
        const impostor = await impostorOn({ port: Number(new URL(killed.url).port) });
        writeFileSync(lockFile, JSON.stringify({ ...killed, ...(await disguise()) }));
        await connect();
        assertUntold(impostor, killed.token, record().token);
        assert.notEqual(record().token, killed.token, 'a host of our own was started');
      });
    }

    it('gets no token where it comes between the look at the lock file and the connection', async () => {
      const host = await startHostProcess();
      try {
        const impostor = await impostorOn();
        const relay = await impostorOn({ relayTo: Number(new URL(host.url).port) });
        const open = (url: string, secret: string) => connectNodeTransport(undefined, secret)(url, AbortSignal.timeout(WAIT_MS));
        for (const stranger of [impostor, relay]) {
          await assert.rejects(open(stranger.url, host.token), /did not prove|answered/);
          assert.ok(stranger.asked > 0);
          assertUntold(stranger, host.token);
        }
        (await open(host.url, host.token)).close();
        await assert.rejects(open(host.url, `${host.token.slice(1)}x`), /answered 401/, 'and the host lets in nobody with another secret');
        // Any other client of the protocol.
        (await AgentHostClient.connect({ url: host.url, token: host.token })).close();
      } finally {
        await host.stop();
      }
    });
  });

  describe('of the gateway', function () {
    this.timeout(60_000);
    let home: GatewayHome;
    let gateway: GatewayProcess;
    const owners: TestOwner[] = [];
    const providers: ProviderHandle[] = [];
    const ownerOf = (url: string, token: string) => {
      const owner = new TestOwner({ url, token });
      owners.push(owner);
      return owner;
    };
    beforeEach(async () => {
      home = new GatewayHome();
      gateway = await startGatewayProcess(home);
      environment.set({ ...home.env, TAP_PROVIDER_TOKEN: undefined, TAP_GATEWAY_URL: undefined });
    });
    afterEach(async () => {
      for (const owner of owners.splice(0)) owner.dispose();
      for (const provider of providers.splice(0)) provider.close();
      await gateway.stop();
      home.remove();
    });
    const waiting = async ({ client }: TestOwner) => {
      await eventually(() => client.state.kind === 'waiting', 'the failure of the link', WAIT_MS);
      return client.state.kind === 'waiting' ? english(client.state.error) : '';
    };

    it('gets no owner secret, on the port that was freed or by passing the request on', async () => {
      const impostor = await impostorOn();
      assert.match(await waiting(ownerOf(impostor.url, gateway.secret)), /did not prove/);
      const relay = await impostorOn({ relayTo: gateway.port });
      assert.match(await waiting(ownerOf(relay.url, gateway.secret)), /did not prove/);
      for (const stranger of [impostor, relay]) {
        assert.ok(stranger.asked > 0);
        assert.doesNotMatch(stranger.heard, /initialize/);
        assertUntold(stranger, gateway.secret);
      }
      await ownerOf(gateway.url, gateway.secret).connected(WAIT_MS);
      await gateway.stop('SIGKILL');
      const heir = await impostorOn({ port: gateway.port });
      assert.match(await waiting(ownerOf(gateway.url, gateway.secret)), /did not prove/);
      assertUntold(heir, gateway.secret);
    });

    /** Plays a gateway to whoever believes it, and would have its tools called. */
    const answers = {
      auth: { type: 'sessions', active: [{ id: 'a', label: 'a' }] },
      hello: { type: 'hello.ack', protocolVersion: 2, providerId: 'p', sessionId: 'a' },
    };
    const provide = (options: Parameters<typeof createProvider>[1] = {}) => {
      const errors: string[] = [];
      const handle = createProvider('sdk', { onError: ({ message }) => errors.push(message), ...options });
      providers.push(handle);
      return { handle, errors };
    };
    const refuses = async (stranger: Impostor, options: Parameters<typeof createProvider>[1] = {}) => {
      const { handle, errors } = provide({ url: stranger.url, ...options });
      await eventually(() => errors.some((message) => /did not prove/.test(message)), 'an error of the provider', WAIT_MS);
      handle.close();
      assert.doesNotMatch(stranger.heard, /"auth"/);
    };

    it('gets no token of a provider with the token file, nor its tools', async () => {
      const impostor = await impostorOn({ answers });
      const relay = await impostorOn({ answers, relayTo: gateway.port });
      for (const stranger of [impostor, relay]) {
        await refuses(stranger);
        assertUntold(stranger, gateway.token);
      }
      const { handle } = provide();
      await reached(handle, 'waiting for a session'); // of the real gateway
    });

    it('gets no token of a provider with TAP_PROVIDER_TOKEN either', async () => {
      const impostor = await impostorOn({ answers });
      const relay = await impostorOn({ answers, relayTo: gateway.port });
      const owner = ownerOf(gateway.url, gateway.secret);
      await owner.connected(WAIT_MS);
      const issued = await (await owner.session('a')).issueToken();
      rmSync(home.tokenFile);
      environment.set({ TAP_PROVIDER_TOKEN: issued });
      for (const stranger of [impostor, relay]) {
        await refuses(stranger);
        assertUntold(stranger, issued);
      }
      const { handle } = provide({ tools: [] });
      await reached(handle, 'bound');
    });

    it('is not what a provider takes a new gateway for, which does not know the token of its environment', async () => {
      environment.set({ TAP_PROVIDER_TOKEN: `ptk-${'x'.repeat(43)}` });
      const { handle, errors } = provide();
      await reached(handle, 'waiting for a session'); // by the token file
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', /did not prove/);
    });

    it('is left by a provider when the gateway is there again, with the token that the file has then', async () => {
      await gateway.stop('SIGKILL');
      const impostor = await impostorOn({ answers, port: gateway.port });
      const { handle, errors } = provide();
      await eventually(() => errors.some((message) => /did not prove/.test(message)), 'an error of the provider', WAIT_MS);
      const killed = gateway;
      gateway = await startGatewayProcess(home);
      await reached(handle, 'waiting for a session');
      assert.notEqual(gateway.token, killed.token);
      assertUntold(impostor, killed.token, gateway.token);
    });

    it('gets nothing by an empty token file', async () => {
      const impostor = await impostorOn({ answers });
      mkdirSync(dirname(home.tokenFile), { recursive: true });
      writeFileSync(home.tokenFile, '');
      const { handle, errors } = provide({ url: impostor.url });
      await eventually(() => errors.length > 0, 'an error of the provider', WAIT_MS);
      assert.match(errors[0] ?? '', /is a gateway running/);
      assert.equal(impostor.asked, 0);
      assert.equal(handle.state.kind, 'disconnected');
    });

    it('is told a token that the program itself gives for its URL', async () => {
      const impostor = await impostorOn({ answers });
      const { handle } = provide({ url: impostor.url, token: 'of-another-gateway' });
      await reached(handle, 'bound');
      assert.match(impostor.heard, /of-another-gateway/);
    });
  });
});
