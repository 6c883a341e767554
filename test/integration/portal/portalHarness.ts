/** A portal at a host of its own, in this process, over real sockets. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient } from '../../../src/ahp/index.ts';
import type { DialectName } from '../../../src/ahp/dialects/dialect.ts';
import type { ResolveSessionConfigResult } from '../../../src/ahp/v1/commands.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import type { AgentTurn } from '../../../src/host/agents/agent.ts';
import { DemoAgent } from '../../../src/host/agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from '../../../src/host/server/hostServer.ts';
import type { WatchedGateway } from '../../../src/portal/pages/towerPage.ts';
import { PortalServer } from '../../../src/portal/http/portalServer.ts';
import { Portal, type PortalOptions } from '../../../src/portal/portal.ts';
import {
  claimText,
  keyAnswer,
  OPENING,
  PAGE_KEY_PATH,
  PAGE_SCHEME,
  PAGE_SESSION_PATH,
  proofText,
  sessionAnswer,
  sessionOf,
} from '../../../src/views/portal/wire/pageSessionWire.ts';
import { V1Client } from '../../support/v1Client.ts';
import { ScriptedAgent } from '../host/hostHarness.ts';
import { AnswerCheck } from './answerCheck.ts';

export const pagesFolder = join(import.meta.dirname, '../../../dist/portal');
export const webviewsFolder = join(import.meta.dirname, '../../../dist/webviews');

export type Json = Record<string, unknown>;

export interface TestPortalOptions {
  provider?: string;
  withoutToken?: boolean;
  withoutTests?: boolean;
  headersTimeoutMs?: number;
  gateway?: () => WatchedGateway;
  runsFolder?: string;
  worktreesFolder?: string;
  allowJobTools?: boolean;
  clock?: Clock;
  hosts?: ReadonlyMap<string, AgentHostClient>;
  elsewhereFile?: string;
  /** What the portal offers its own host, which prefers AHP 1.0. Absent: both. */
  dialects?: readonly DialectName[];
  tellSpans?: PortalOptions['tellSpans'];
  /** The settings of a session of the scripted agent. */
  config?: ResolveSessionConfigResult;
}

export class TestPortal {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portal-')));
  readonly agent = new ScriptedAgent();
  stops = 0;
  /** Every answer that comes by way of this class goes through it. */
  readonly answers: AnswerCheck;
  host!: HostServer;
  client!: AgentHostClient;
  portal!: Portal;
  server!: PortalServer;

  private constructor(withTests: boolean) {
    this.answers = new AnswerCheck(withTests);
  }

  static async start(given: TestPortalOptions = {}): Promise<TestPortal> {
    const { provider = 'scripted', runsFolder, worktreesFolder, allowJobTools, clock, hosts, elsewhereFile } = given;
    const test = new TestPortal(!given.withoutTests);
    if (given.config) test.agent.config = given.config;
    const wait = (_ms: number, signal: AbortSignal) => Promise.resolve(signal.throwIfAborted());
    test.host = await startHostServer({ agents: [test.agent, new DemoAgent({ logger: nullLogger, wait })], logger: nullLogger });
    test.client = await test.connect(given.dialects);
    test.portal = await Portal.open({
      ...{ client: test.client, provider, logger: nullLogger, runsFolder, allowJobTools, clock },
      ...{ hosts, elsewhereFile, worktreesFolder, tellSpans: given.tellSpans },
    });
    test.server = await PortalServer.listen({
      portal: test.portal,
      port: 0,
      withoutToken: given.withoutToken,
      headersTimeoutMs: given.headersTimeoutMs,
      gateway: given.gateway,
      languagesFolder: join(import.meta.dirname, '../../../l10n'),
      pagesFolder,
      webviewsFolder,
      repoRoot: '/repo',
      testFolder: given.withoutTests ? undefined : test.folder,
      onStop: () => test.stops++,
      logger: nullLogger,
    });
    return test;
  }

  /** Another client of the same host, in April's words. */
  v1Client(): Promise<V1Client> {
    return V1Client.connect({ url: this.host.url, token: this.host.token });
  }
  /** Another client of the same host. */
  connect(dialects?: readonly DialectName[]): Promise<AgentHostClient> {
    return AgentHostClient.connect({ url: this.host.url, token: this.host.token, ...(dialects && { dialects }) });
  }

  /** With the token, unless other headers are given. */
  async fetch(path: string, body?: string, headers: Record<string, string> = this.authorized): Promise<Response> {
    return this.request(path, { ...(body !== undefined && { method: 'POST', body }), headers });
  }

  /** Any request. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${this.server.url}${path}`, { headers: this.authorized, redirect: 'manual', ...init });
    await this.answers.check(init.method ?? 'GET', path, response);
    return response;
  }

  /** The answer of a route of the API. */
  async call(path: string, body?: string): Promise<Json> {
    const response = await this.fetch(`/api/${path}`, body);
    assert.equal(response.status, 200, `${path}: ${response.status}`);
    return (await response.json()) as Json;
  }

  get authorized(): Record<string, string> {
    return { Authorization: `Bearer ${this.server.token}` };
  }

  /** What the portal's own page sends, once it was opened in a browser that has shown the token. */
  async openPage(): Promise<Record<string, string>> {
    return pageHeaders(this.server.url, this.server.token ?? assert.fail());
  }

  async startSession(model = 'one'): Promise<string> {
    const { sessionId, ...rest } = await this.call(`copilot/session/start/${model}`, this.folder);
    assert.deepEqual(rest, {});
    return sessionId as string;
  }

  /** All that is told until the end, or until `isLast`. Timeouts are left out. */
  async follow(what: string, isLast: (response: Json) => boolean = ({ error }) => /Closed$/.test(String(error))): Promise<Json[]> {
    const told: Json[] = [];
    for (;;) {
      const response = await this.call(`copilot/${what}/live`);
      if (response['error'] === 'HttpRequestTimeout') continue;
      told.push(response);
      if (isLast(response)) return told;
      assert.ok(response['callback'] || !response['error'], JSON.stringify(response));
    }
  }

  /** Takes it as the entry of the portal. Returns the answer. */
  async install(entry: unknown): Promise<Json> {
    const file = join(this.folder, 'entry.json');
    writeFileSync(file, JSON.stringify(entry));
    return this.call('copilot/test/installJobsEntry', file);
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.portal.stop();
    this.portal.dispose();
    this.client.close();
    await this.host.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Of the session of a page, which is made as a browser makes it. `key`: one that the page has already, in base64url. */
export async function pageHeaders(url: string, token: string, key?: string): Promise<Record<string, string>> {
  const has = key ?? (await pageKey(url, token));
  const nonce = randomBytes(32).toString('base64url');
  const answer = sessionAnswer.parse(await (await askPage(url, PAGE_SESSION_PATH, { nonce })).json());
  const hmac = (text: string) => createHmac('sha256', Buffer.from(has, 'base64url')).update(text).digest('base64url');
  assert.equal(answer.proof, hmac(proofText({ nonce, ...answer })));
  return { Authorization: `${PAGE_SCHEME} ${sessionOf({ nonce, ...answer }, hmac(claimText({ nonce, ...answer })))}` };
}

/** Opens the page with the token. */
export async function pageKey(url: string, token: string): Promise<string> {
  const opened = await fetch(`${url}/?token=${token}`, { redirect: 'manual' });
  const opening = new URL(opened.headers.get('location') ?? assert.fail(`status ${opened.status}`), url).searchParams.get(OPENING);
  return keyAnswer.parse(await (await askPage(url, PAGE_KEY_PATH, { opening })).json()).key;
}

export const askPage = (url: string, path: string, body: object, headers: Record<string, string> = { Origin: url }) =>
  fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });

/** A request with headers that `fetch` does not let through. */
export function rawRequest(
  port: number,
  path: string,
  headers: Record<string, string | string[]>,
  method = 'GET',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, setHost: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Calls tools of the portal, without asking anybody. Each is `name argument`. */
export async function callTools(turn: AgentTurn, activeClientId: string | undefined, tools: readonly string[]): Promise<void> {
  for (const tool of tools) {
    const [, toolName = '', argument = ''] = /^(\S+) ?(.*)$/.exec(tool) ?? [];
    const call = turn.toolCall({ toolName, displayName: toolName, toolClientId: activeClientId });
    const ready = { invocationMessage: toolName, toolInput: JSON.stringify({ argument }) };
    await call.check(ready);
    call.run(ready, 'not-needed');
    await call.waitForClient();
  }
}

/** Their names; of an error of a task or a job, the key. */
export const callbacks = (told: readonly Json[]) => told.map((one) => one['callback'] ?? one['error'] ?? Object.keys(one)[0]);
