import assert from 'node:assert/strict';
import { SECTIONS } from '../../src/ahp/hookRequests.ts';
import { withContext } from '../../src/base/text/contextBlock.ts';
import type { BridgeInfo } from '../../src/webviews/session/protocol.ts';
import { composer, open, text, useSessionPage, view, violations } from './currentPage.ts';
import { active, completed, markdown, root, session, toolCall, turn, uri, waitingCall } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

const at = Date.UTC(2026, 10, 22, 12, 0, 0);
const bridge = (fields: Partial<BridgeInfo> = {}): BridgeInfo => ({ clientId: 'me', rows: [], calls: [], pairings: [], ...fields });
const tell = (fields: Partial<BridgeInfo>) => view.send({ type: 'bridge', uri, bridge: bridge(fields) });

describe('The session webview, with tool providers', function () {
  this.timeout(60_000);
  useSessionPage();

  describe('shows who runs a call', () => {
    const lent = { toolName: 'look', displayName: 'look', toolClientId: 'me', _meta: {}, toolInput: '{"selector":"h1"}' };
    const runner = () => view.page.locator('.waiting-card .runner').innerText();
    const page = { turnId: 't', callId: 'c', provider: 'shop', trust: 'external', origin: 'https://shop.example' } as const;

    it('with the trust in it, and all arguments', async () => {
      await view.show(active([toolCall(waitingCall('c', lent))]));
      await tell({ calls: [page] });
      assert.equal(await runner(), 'Tool of shop · paired, https://shop.example');
      assert.match(await view.page.locator('.waiting-card').innerText(), /selector/i);
      await tell({ calls: [{ turnId: 't', callId: 'c', provider: 'ci', trust: 'project', spawned: true }] });
      assert.equal(await runner(), 'Tool of ci · program started by a session');
    });

    it('by what the bridge knows: no host and no provider can forge it', async () => {
      const forged = {
        ...lent,
        toolClientId: undefined,
        displayName: 'Tool of shop · internal, part of Tapline',
        confirmationTitle: 'Tool of shop · internal, part of Tapline',
        invocationMessage: { markdown: '<p class="runner">Tool of shop · internal</p>' },
        _meta: { provider: 'shop', trust: 'internal', runner: 'shop' },
      };
      await view.show(active([toolCall(waitingCall('c', forged as never))]));
      await tell({ calls: [page] });
      assert.equal(await view.page.locator('.runner').count(), 0, 'the host runs it, which is not said');
      await view.show(active([toolCall(waitingCall('c', { ...lent, toolClientId: 'someone' }))]));
      assert.equal(await runner(), 'Run by another program that is connected to the host');
      await view.show(active([toolCall(waitingCall('c', lent))]));
      await tell({ calls: [{ ...page, turnId: 'another' }] });
      assert.equal(await runner(), 'Run by a provider of this window that is not known now');
      await tell({ calls: [{ ...page, provider: 'Tapline\u202e · internal' }] });
      assert.equal(await runner(), 'Tool of TaplineU+202E · internal · paired, https://shop.example');
      await view.send({ type: 'bridge', uri });
      assert.equal(await runner(), 'Run by another program that is connected to the host');
    });

    it('in a way that must be seen before the call is approved, also when it changes', async () => {
      await view.show(active([toolCall(waitingCall('c', lent))]));
      await tell({ calls: [page] });
      const judged = view.page.locator('.waiting-card .runner[data-judged]');
      const before = await judged.elementHandle();
      await tell({ calls: [{ ...page, origin: 'https://other.example' }] });
      assert.equal(await before?.evaluate((element) => element.isConnected), false);
      await view.page.getByRole('button', { name: 'Approve' }).click();
      await view.nextAction('chat/toolCallConfirmed');
    });

    it('in the row of the call, when it is over too', async () => {
      const call = completed('c', { ...lent, pastTenseMessage: 'Called look' });
      await view.show(session({ turns: [turn('t', 'Go', [toolCall(call), toolCall(completed('own'))])] }));
      await tell({ calls: [page] });
      assert.deepEqual(await view.page.locator('.runner-chip').allInnerTexts(), ['shop']);
      for (const summary of await view.page.locator('.tool-call summary').all()) await summary.click();
      assert.deepEqual(await view.page.locator('.runner').allInnerTexts(), ['Tool of shop · paired, https://shop.example']);
    });
  });

  describe('shows the timeline', () => {
    it('between the parts, as text that names its provider', async () => {
      await view.show(
        session({ turns: [turn('one', 'Go', [markdown('First'), markdown('Second')]), turn('two', 'More', [toolCall(completed('c'))])] }),
      );
      await tell({
        rows: [
          {
            id: 1,
            kind: 'push',
            at,
            provider: 'ci',
            stream: 'build',
            after: { turnId: 'one', parts: 1 },
            text: '<img src=x onerror=alert(1)> [a](command:x) $(zap)',
          },
          { id: 2, kind: 'progress', at, provider: 'shop', callId: 'c', after: { turnId: 'two', parts: 0 }, text: '2 of 3' },
          {
            id: 3,
            kind: 'push',
            at,
            provider: 'ci',
            stream: 'ci',
            injects: true,
            paused: true,
            after: { turnId: 'two', parts: 1 },
            text: 'again',
          },
          { id: 4, kind: 'warning', at, after: { turnId: 'two', parts: 1 }, text: 'The tool x is left out.' },
          { id: 5, kind: 'push', at, provider: 'ci', after: { turnId: 'cut away', parts: 1 }, text: 'of a turn that has gone' },
        ],
      });
      const all = (await text()).replace(/\s+/g, ' ');
      const order = [
        'First',
        'ci · stream build',
        '<img src=x onerror=alert(1)> [a](command:x) $(zap)',
        'Second',
        'Ran npm test',
        'shop 2 of 3',
        'again',
        'Paused:',
        'left out',
      ];
      const places = order.map((words) => all.indexOf(words));
      assert.ok(!places.includes(-1), `${order[places.indexOf(-1)]} is missing: ${all}`);
      assert.deepEqual(
        [...places].sort((a, b) => a - b),
        places,
        all,
      );
      assert.ok(!all.includes('of a turn that has gone'));
      assert.equal(await view.page.locator('.timeline :is(img, a, script)').count(), 0);
      assert.equal(await view.page.locator('.timeline-warning .provider-name').count(), 0);
    });

    it('of a provider that says much, folded', async () => {
      await view.show(session({ turns: [turn('one', 'Go', [markdown('First')])] }));
      const rows = Array.from({ length: 200 }, (_, index) => ({
        id: index,
        kind: 'push' as const,
        at,
        provider: 'ci',
        after: { turnId: 'one', parts: 1 },
        text: `event ${index}`,
      }));
      await tell({ rows });
      assert.equal(await view.page.locator('.timeline-row').count(), 5);
      await view.page.getByText('195 earlier events').click();
      assert.equal(await view.page.locator('.timeline-row').count(), 200);
    });

    it('with injected events marked in the turn that they started, and never as the user’s words', async () => {
      const event = withContext([{ kind: 'push', provider: 'ci', name: 'build', content: 'it failed' }], '');
      const queued = [{ id: 'q', userMessage: { text: withContext([{ kind: 'push', provider: 'ci', content: 'again' }], '') } }];
      await view.show(active([], { turns: [turn('one', 'Mine', []), turn('two', event, [])], queuedMessages: queued }));
      const messages = await view.page.locator('.user-message').allInnerTexts();
      assert.match(messages[1] ?? '', /Sent by the provider ci \(stream build\), not by you\s+it failed/);
      assert.equal(await view.page.getByRole('heading', { name: 'You', exact: true }).count(), 2);
      assert.match(await view.page.locator('.queue-item').innerText(), /ci: again/);
      assert.equal(await view.page.getByRole('button', { name: 'Edit', exact: true }).count(), 0);
      await composer().press('ArrowUp');
      assert.equal(await composer().inputValue(), 'Go');
    });

    it('with what providers added to a message in folds, and only the words in the composer', async () => {
      const message = withContext(
        [
          { kind: 'context', provider: 'ci', content: 'main is red <b>' },
          { kind: 'section', provider: 'notes', name: 'custom_instructions', content: 'be brief' },
        ],
        'Fix it',
      );
      await view.show(session({ turns: [turn('one', message, [])] }));
      const card = view.page.locator('.user-message');
      assert.equal(
        (await card.innerText()).replace(/\s+/g, ' ').trim(),
        'You Context from ci Instructions (custom_instructions) from notes Fix it',
      );
      await card.getByText('Context from ci').click();
      assert.match(await card.innerText(), /main is red <b>/);
      await composer().press('ArrowUp');
      assert.equal(await composer().inputValue(), 'Fix it');
    });
  });

  it('shows what our host added to the system message, and believes no other host that it did', async () => {
    const _meta = {
      [SECTIONS]: [
        { turns: ['one'], parts: [{ kind: 'context', provider: 'ci', content: 'main is <b>red</b>', length: 1_018 }] },
        { turns: ['two'], parts: [{ kind: 'section', provider: 'notes', name: 'tone', action: 'append', content: 'be brief', length: 8 }] },
      ],
    };
    const shown = session({ turns: [turn('one', 'Fix it', []), turn('two', 'Go on', [])], _meta });
    await view.show(shown, { shown: { ownHost: true } });
    const cards = view.page.locator('.user-message');
    const words = async () => (await cards.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    assert.deepEqual(await words(), [
      'You Context from ci, in the system message Fix it',
      'You Instructions (tone) from notes, in the system message Go on',
    ]);
    await cards.getByText('Context from ci').click();
    assert.match((await words())[0] ?? '', /main is <b>red<\/b>… \(1,000 more characters\)/);
    await view.show(shown);
    assert.deepEqual(await words(), ['You Fix it', 'You Go on']);
  });

  describe('shows pairing codes', () => {
    it('with their origin, to copy or to deny, and only as long as they are pending', async () => {
      const pairing = { id: 'p', code: '012345', origin: 'https://xn--80ak6aa92e.com', expiresAt: Date.now() + 100_000 };
      await view.show(session());
      await tell({ pairings: [pairing] });
      const card = view.page.locator('.pairing-card');
      const words = await card.innerText();
      assert.match(words, /Pairing code for the page https:\/\/xn--80ak6aa92e\.com[^]*1:\d\d[^]*012345[^]*look like others/);
      assert.match(await view.page.locator('#pairing-status').innerText(), /Pairing code 0 1 2 3 4 5 for the page/);
      await card.getByRole('button', { name: 'Copy Pairing Code' }).click();
      assert.deepEqual(await view.next('copy'), { type: 'copy', text: '012345' });
      await card.getByRole('button', { name: 'Deny' }).click();
      assert.deepEqual(await view.next('denyPairing'), { type: 'denyPairing', pairingId: 'p' });
      await tell({});
      assert.equal(await card.count(), 0);
      assert.equal(await view.page.locator('#pairing-status').innerText(), '');
    });
  });

  describe('shows whether tools are lent', () => {
    it('as a fact when they are, and with the way out when they are not', async () => {
      await view.show(session(), { root });
      await tell({ lending: { tone: 'fine', text: '4 tools lent, 2 left out', action: { label: 'Review', command: 'reviewTools' } } });
      assert.match(await view.page.locator('.header-facts').innerText(), /4 tools lent, 2 left out/);
      await view.page.getByRole('button', { name: 'Review' }).click();
      assert.equal((await view.next('runCommand')).command, 'reviewTools');
      const other =
        '“Some Editor” lends its tools to this session. The agent cannot call those of this window: the host takes tools from one window at a time.';
      await tell({ lending: { tone: 'problem', text: other, action: { label: 'Lend from this window', command: 'lendToolsHere' } } });
      await view.page.locator('.banner').getByText(other).waitFor();
      await view.page.getByRole('button', { name: 'Lend from this window' }).click();
      assert.equal((await view.next('runCommand')).command, 'lendToolsHere');
      await view.show(session({ summary: { ...session().summary, resource: 'copilot:/other' } }));
      assert.equal(await view.page.locator('.banner').count(), 0, 'of another session');
    });
  });

  it('says on the card of a call that programs want to check calls, and which programs serve the session', async () => {
    await view.show(active([toolCall(waitingCall('c'))]), { root });
    const card = view.page.locator('.waiting-card');
    await tell({ waitingChecks: 1, serving: 'dice serves all sessions' });
    await card.getByText('1 program wants to check calls: Review').waitFor();
    assert.match(await view.page.locator('.header-facts').innerText(), /dice serves all sessions/);
    await card.getByRole('button', { name: 'Review' }).click();
    assert.equal((await view.next('runCommand')).command, 'answerConsent');
    await tell({ waitingChecks: 2 });
    await card.getByText('2 programs want to check calls: Review').waitFor();
    await tell({});
    await card.getByText('to check calls').waitFor({ state: 'detached' });
    assert.doesNotMatch(await view.page.locator('.header-facts').innerText(), /serves/);
  });

  const widths: Record<ThemeName, number> = { dark: 320, light: 900, highContrast: 420 };
  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`looks right and passes axe, ${theme}`, async () => {
      await view.close();
      await open({ theme, width: widths[theme], height: 1400 });
      const message = withContext([{ kind: 'context', provider: 'ci', content: 'main is red' }], 'Why is the build red?');
      const event = withContext(
        [{ kind: 'push', provider: 'ci', name: 'build', content: 'Build 42 failed: 3 tests of the login are red.' }],
        '',
      );
      const call = (id: string) => ({
        toolName: 'page_highlight',
        displayName: 'page_highlight',
        toolClientId: 'me',
        _meta: {},
        toolInput: '{"selector":"h1"}',
        toolCallId: id,
      });
      await view.show(
        active(
          [
            markdown('I look at the page first.'),
            toolCall(
              waitingCall('w', {
                ...call('w'),
                confirmationTitle: { markdown: 'Call `page_highlight`?' },
                invocationMessage: { markdown: 'Calling `page_highlight`' },
              }),
            ),
          ],
          {
            turns: [
              turn('one', message, [
                toolCall(completed('c', { ...call('c'), pastTenseMessage: 'Called page_highlight' })),
                markdown('The page is fine.'),
              ]),
              turn('two', event, [markdown('Three tests fail since the last commit.')]),
            ],
          },
        ),
        { root },
      );
      const rest = { provider: 'a page that lends its tools', trust: 'external', origin: 'http://127.0.0.1:8080' } as const;
      await tell({
        lending: {
          tone: 'problem',
          text: '“Some Editor” lends its tools to this session. The agent cannot call those of this window: the host takes tools from one window at a time.',
          action: { label: 'Lend from this window', command: 'lendToolsHere' },
        },
        calls: [
          { turnId: 'one', callId: 'c', ...rest },
          { turnId: 't', callId: 'w', ...rest },
        ],
        rows: [
          { id: 1, kind: 'progress', at, provider: rest.provider, callId: 'c', after: { turnId: 'one', parts: 1 }, text: '2 of 2' },
          {
            id: 2,
            kind: 'push',
            at,
            provider: 'ci',
            stream: 'build',
            injects: true,
            after: { turnId: 'one', parts: 2 },
            text: 'Build 42 failed: 3 tests of the login are red.',
          },
          {
            id: 3,
            kind: 'push',
            at,
            provider: 'ci',
            stream: 'build',
            injects: true,
            paused: true,
            after: { turnId: 'two', parts: 1 },
            text: 'Build 43 failed',
          },
          {
            id: 4,
            kind: 'gate',
            at,
            provider: 'guard',
            after: { turnId: 'two', parts: 1 },
            text: 'Denied run_command. nothing is pushed on Fridays',
          },
          {
            id: 5,
            kind: 'warning',
            at,
            after: { turnId: 'two', parts: 1 },
            text: 'The tool edit of notes is left out: the agent has a tool of that name itself.',
          },
        ],
        pairings: [{ id: 'p', code: '012345', origin: 'https://page.example', expiresAt: Date.now() + 100_000 }],
      });
      await view.page.locator('.tool-call summary').first().click();
      await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = 0));
      await view.settle();
      await view.screenshot(`bridge-${theme}`);
      assert.deepEqual(await violations(), []);
    });
  }
});
