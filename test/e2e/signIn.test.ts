/** A call of a host that goes on once the user has signed in, in the workbench, with a real browser page and a small authorization server. */
import assert from 'node:assert/strict';
import type { ToolCallState } from '../../src/ahp/channels/shapes/toolCall.ts';
import { type AuthorizationServer, authorizationServer } from '../fakes/authorizationServer.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const SESSION = 'copilotcli:/9';
const CHAT = 'ahp-chat://main/9';

describe('signing in for a host, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let fake: FakeChannelHost;
  let fakeServer: FakeHostServer;
  let server: AuthorizationServer;

  before(async () => {
    server = await authorizationServer();
    fake = new FakeChannelHost('0.9.0');
    const waits: ToolCallState = {
      ...{ toolCallId: 'c', toolName: 'list_tickets', displayName: 'List tickets', invocationMessage: 'List', toolInput: '{"open":true}' },
      ...{ status: 'auth-required', confirmed: 'not-needed', contributor: { kind: 'mcp', customizationId: 's' } },
      auth: {
        reason: 'required',
        resource: { resource: 'https://mcp.example/tickets', resource_name: 'Tickets', authorization_servers: [server.url] },
        requiredScopes: ['tickets:read', 'tickets:list'],
      },
    };
    fake.put(SESSION, {
      ...channelSession(CHAT, 'Look at tickets'),
      inputNeeded: [{ kind: 'toolAuthentication', id: 'n', chat: CHAT, turnId: 't', toolCall: waits as never }],
    });
    const message = { text: 'Which are open?', origin: { kind: 'user' as const } };
    fake.put(CHAT, { ...channelChat(CHAT), activeTurn: { id: 't', message, responseParts: [{ kind: 'toolCall', toolCall: waits }] } });
    fake.summaries = [{ ...channelSummary(SESSION, 'Look at tickets'), provider: 'copilotcli', status: 24 }] as never;
    fake.methods['authenticate'] = () => {
      fake.act(CHAT, { type: 'chat/toolCallAuthResolved', turnId: 't', toolCallId: 'c' });
      fake.act(SESSION, { type: 'session/inputNeededRemoved', id: 'n' });
      return {};
    };
    [tapline, fakeServer] = await Promise.all([takeTapline(), serveFakeHost(fake)]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.addHost(fakeServer.url, 'september');
  });
  after(async () => {
    await workbench?.close();
    await fakeServer?.close();
    await server?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-sign-in-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const card = () => workbench.session.locator('.waiting-card');
  const given = () => fake.paramsOf('authenticate') as { resource: string; token: string; scopes?: string[] }[];

  it('sends nothing before the user has agreed', async () => {
    await workbench.page.getByRole('treeitem', { name: /^Look at tickets, / }).click();
    await card().getByText('Sign in to Tickets?').waitFor();
    await workbench.shot('44-sign-in-card');
    await card().getByRole('button', { name: 'Sign in…' }).click();
    await dialog().getByText(`Sign in at ${server.url} for the agent host september?`).waitFor();
    const detail = await dialog().innerText();
    for (const part of ['“Tickets”', 'https://mcp.example/tickets', server.url, 'tickets:read, tickets:list'])
      assert.ok(detail.includes(part), detail);
    await workbench.shot('45-sign-in-question');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.deepEqual([given(), server.asked], [[], []]);
  });

  it('signs in in the browser, gives the host the token, and the call goes on', async () => {
    await card().getByRole('button', { name: 'Sign in…' }).click();
    // The workbench opens ports of its own computer through its server, and that of the tests has no such proxy.
    await workbench.page.context().route(/\/proxy\/\d+\//, async (route) => {
      const behind = (url: string) => url.replace(/^.*?\/proxy\/(\d+)(\/.*)$/, 'http://127.0.0.1:$1$2');
      let answer = await fetch(behind(route.request().url()), { redirect: 'manual' });
      for (let to = answer.headers.get('location'); to !== null; to = answer.headers.get('location'))
        answer = await fetch(behind(to), { redirect: 'manual' });
      await route.fulfill({ status: answer.status, body: await answer.text() });
    });
    const opened = workbench.page.context().waitForEvent('page');
    await dialog().getByRole('button', { name: 'Sign In' }).click();
    const page = await opened;
    await page.getByText('You can close this page').waitFor();
    await page.close();
    await card().waitFor({ state: 'detached' });
    assert.deepEqual(given(), [
      {
        channel: 'ahp-root://',
        resource: 'https://mcp.example/tickets',
        token: 'signed-in-token',
        scopes: ['tickets:read', 'tickets:list'],
      },
    ]);
    const asked = server.asked.find(({ path }) => path === '/authorize')?.values;
    assert.deepEqual([asked?.['scope'], asked?.['resource']], ['tickets:read tickets:list', 'https://mcp.example/tickets']);
  });
});
