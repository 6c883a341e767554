import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import type { SessionInputRequest } from '../../src/ahp/v1/inputRequest.ts';
import type { ResponsePart, SessionState } from '../../src/ahp/v1/session.ts';
import { startHarness, type Harness, type PageOptions, type SessionPage } from './sessionPage.ts';
import { completed, markdown, richSession, root, session, toolCall, turn, uri, waitingCall } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

const require = createRequire(import.meta.url);

describe('The session webview', function () {
  this.timeout(60_000);
  let harness: Harness;
  let view: SessionPage;

  before(async () => {
    harness = await startHarness();
  });
  after(() => harness?.close());
  const open = async (options?: PageOptions) => (view = await harness.open(options));
  beforeEach(() => open());
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    assert.deepEqual(view.requests, [], 'the page asked the network for something');
    await view.close();
  });

  const active = (responseParts: ResponsePart[], fields: Partial<SessionState> = {}): SessionState =>
    session({ activeTurn: { id: 't', userMessage: { text: 'Go' }, responseParts }, ...fields });
  const composer = () => view.page.locator('#composer');
  const text = () => view.page.locator('.transcript').innerText();
  const focusedId = () => view.page.evaluate(() => document.activeElement?.id);

  describe('shows', () => {
    it('what to do when no session is open', async () => {
      await view.send({ type: 'show' });
      await view.page.getByRole('button', { name: 'New session' }).click();
      assert.deepEqual(await view.next('runCommand'), { type: 'runCommand', command: 'newSession' });
    });

    it('a whole session, unknown parts included', async () => {
      await view.show(richSession(), { root });
      assert.equal(await view.page.getByRole('heading', { level: 1 }).innerText(), 'Fix the login redirect');
      const all = await text();
      for (const words of [
        'Ran npm test',
        'exit 1',
        'auth.ts',
        '+12',
        '−4',
        'Review the redirect',
        'Unknown part (holographic)',
        'quota of this month',
        '842 out',
      ]) {
        assert.ok(all.includes(words), `${words} in ${all}`);
      }
      await view.page.getByText('Unknown part (holographic)').click();
      await view.page.getByText('"beam": 7').waitFor();
    });

    it('a part of another shape by its name, and everything else', async () => {
      const broken = { kind: 'markdown', id: 'x', content: { not: 'text' } } as unknown as ResponsePart;
      await view.show(session({ turns: [turn('t1', 'Hi', [broken, markdown('still here')])] }));
      assert.match(await text(), /Unknown part \(markdown, malformed\)[\s\S]*still here/);
    });

    it('a session in which hardly anything is as it should be, and goes on', async () => {
      const wrong = {
        summary: { resource: uri, title: 7, status: 'busy', workingDirectory: ['x'], model: 'gpt', diffs: 'all' },
        lifecycle: null,
        turns: [
          null,
          { id: 't1', userMessage: null, responseParts: 'none', state: 3 },
          { id: 't2', userMessage: { text: {}, attachments: [null, {}] }, responseParts: [null, 7, { kind: 'toolCall', toolCall: null }] },
        ],
        activeTurn: {
          id: 't',
          responseParts: [{ kind: 'toolCall', toolCall: { status: 'running', toolCallId: 'c', content: [null, { type: 'text' }] } }],
        },
        queuedMessages: [null, { id: 'q' }],
        steeringMessage: 'go',
        inputRequests: [null, { id: 'i', questions: [null, { id: 'a', kind: 'single-select', options: 'many' }], answers: [] }],
        config: { schema: null, values: 7 },
      } as unknown as SessionState;
      await view.show(wrong, { root: { agents: [null, { provider: 'copilot', models: 'all' }] } as never });
      assert.match(await text(), /malformed/);
      await view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: markdown('still here') });
      assert.match(await text(), /still here/);
      await composer().fill('And I can write');
      await view.page.keyboard.press('Enter');
      assert.equal((await view.nextAction('session/pendingMessageSet')).userMessage.text, 'And I can write');
    });

    it('5,000 turns, a title of a megabyte and an answer of 9,000 paragraphs without delay', async () => {
      const turns = Array.from({ length: 5000 }, (_, i) => turn(`t${i}`, `Question ${i}`, [markdown(`Answer **${i}**`)]));
      turns.push(turn('long', 'Long', [markdown('A line of the answer.\n\n'.repeat(9_000))]));
      const began = Date.now();
      const state = session({ turns });
      await view.show({ ...state, summary: { ...state.summary, title: 'T'.repeat(1e6) } });
      assert.ok((await view.page.locator('.transcript').textContent())?.includes('Answer 4999'));
      assert.ok(Date.now() - began < 8000, `${Date.now() - began} ms`);
      assert.ok((await view.page.getByRole('heading', { level: 1 }).innerText()).length < 400);
    });

    it('the text as it streams', async () => {
      await view.show(active([{ kind: 'markdown', id: 'p', content: 'One' }]));
      const delta = (content: string): StateAction => ({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content });
      await view.actions(delta(' two'), delta('\n\n# Thr'), delta('ee\n\n- four'));
      assert.equal(await view.page.locator('.markdown h1').innerText(), 'Three');
      const heading = await view.page.locator('.markdown p').elementHandle();
      await view.actions(delta('\n- five'), delta('\n\nsix\n\nseven\n\neight'));
      assert.ok(await heading?.evaluate((element) => element.isConnected), 'a settled block was drawn again');
      assert.match(await text(), /four\s+five\s+six/);
    });

    it('how long reasoning took that was seen from start to end', async () => {
      await view.show(active([]));
      const part = (now: number, id: string, kind: 'reasoning' | 'markdown') =>
        view.send({
          type: 'actions',
          uri,
          now,
          actions: [{ type: 'session/responsePart', session: uri, turnId: 't', part: { kind, id, content: 'hm' } }],
        });
      await part(1000, 'a', 'reasoning');
      await view.page.getByText('Thinking').waitFor();
      await part(9000, 'b', 'markdown');
      await view.page.getByText('Thought for 8 s').waitFor();
    });

    it('a banner only when the connection stays away, with what to do', async () => {
      await view.show(session());
      await view.send({
        type: 'connection',
        connection: { kind: 'failed', message: 'The token was refused.', action: { label: 'Try again', command: 'reconnect' } },
      });
      assert.equal(await view.page.locator('.banner').count(), 0);
      await view.page.getByRole('button', { name: 'Try again' }).click();
      assert.equal((await view.next('runCommand')).command, 'reconnect');
      await view.send({ type: 'connection', connection: { kind: 'connected' } });
      assert.equal(await view.page.locator('.banner').count(), 0);
    });

    it('the latest turns of a long session, and earlier ones without moving what is seen', async () => {
      const turns = Array.from({ length: 120 }, (_, index) => turn(`t${index}`, `Message ${index}`, [markdown(`Answer ${index}`)]));
      await view.show(session({ turns }));
      assert.equal(await view.page.locator('.turn').count(), 50);
      await view.page.locator('[data-turn=t119]').waitFor();
      const atEnd = () => view.page.locator('.transcript').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
      assert.ok((await atEnd()) < 24);
      await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = 0));
      await view.settle();
      const top = () => view.page.locator('[data-turn=t70]').evaluate((element) => element.getBoundingClientRect().top);
      const before = await top();
      await view.page.getByRole('button', { name: 'Show earlier (70)' }).click();
      await view.settle();
      assert.equal(await view.page.locator('.turn').count(), 100);
      assert.ok(Math.abs((await top()) - before) <= 2, `moved by ${(await top()) - before}`);
      await view.page.getByRole('button', { name: 'Jump to latest' }).click();
      await view.settle();
      assert.ok((await atEnd()) < 24);
    });

    it('a live terminal, watched while it is near and let go when it is done', async () => {
      const terminal = 'agenthost-terminal:/1';
      await view.show(
        active([
          toolCall({
            status: 'running',
            toolCallId: 'c',
            toolName: 'bash',
            displayName: 'Bash',
            confirmed: 'not-needed',
            invocationMessage: 'Running the tests',
            content: [{ type: 'terminal', resource: terminal, title: 'Bash' }],
          }),
        ]),
      );
      assert.equal((await view.next('watch')).uri, terminal);
      const confirmed = { title: 'Bash', content: [], claim: { kind: 'session' as const, session: uri } };
      await view.send({ type: 'snapshot', uri: terminal, confirmed, pending: [], status: { kind: 'live' } });
      await view.send({
        type: 'actions',
        uri: terminal,
        now: 1,
        actions: [{ type: 'terminal/data', terminal, data: 'hello \u001b[32mgreen\u001b[0m\r\n' }],
      });
      await view.page.locator('.xterm-rows').getByText('hello green').waitFor();
      const one = await view.page.locator('.terminal-clip').evaluate((clip) => clip.clientHeight);
      await view.page.locator('.xterm-helper-textarea').focus();
      await view.page.keyboard.press('Tab');
      assert.equal(await view.page.locator('.xterm-helper-textarea:focus').count(), 0, 'the terminal keeps the focus');
      await view.send({ type: 'show', session: { hostId: 'embedded', uri, hostLabel: 'This computer' } });
      assert.equal((await view.next('watch')).uri, terminal, 'asked for again after show');
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\r\n`).join('');
      await view.send({ type: 'actions', uri: terminal, now: 2, actions: [{ type: 'terminal/data', terminal, data: lines }] });
      await view.page.getByRole('button', { name: /Show more/ }).waitFor();
      const tall = (min: number, max: number) =>
        view.page.waitForFunction(
          ([least, most]) => {
            const height = document.querySelector('.terminal-clip')?.clientHeight ?? 0;
            return height > least && height < most;
          },
          [one * min, one * max] as const,
        );
      await tall(11, 13);
      await view.page.getByRole('button', { name: /Show more/ }).click();
      await tall(29, 31);
      await view.actions({
        type: 'session/toolCallComplete',
        session: uri,
        turnId: 't',
        toolCallId: 'c',
        result: { success: true, pastTenseMessage: 'Ran the tests' },
      });
      assert.equal((await view.next('unwatch')).uri, terminal);
      assert.equal(await view.page.locator('.xterm').count(), 0);
    });
  });

  it('watches a terminal only while it is near, and keeps its room', async () => {
    const resource = 'agenthost-terminal:/1';
    const running = toolCall({
      status: 'running',
      toolCallId: 'c',
      toolName: 'bash',
      displayName: 'Bash',
      confirmed: 'not-needed',
      invocationMessage: 'Running',
      content: [{ type: 'terminal', resource, title: 'Bash' }],
    });
    const long = Array.from({ length: 120 }, (_, index) => `Paragraph ${index}`).join('\n\n');
    await view.show(active([running, markdown(long)]));
    await view.settle();
    assert.ok(!view.posted.some((message) => message.type === 'watch'), 'watched from afar');
    const scrollTo = (place: 'top' | 'end') =>
      view.page.locator('.transcript').evaluate((box, where) => (box.scrollTop = where === 'top' ? 0 : box.scrollHeight), place);
    await scrollTo('top');
    assert.equal((await view.next('watch')).uri, resource);
    const output = Array.from({ length: 10 }, (_, index) => `line ${index}\r\n`).join('');
    await view.send({
      type: 'snapshot',
      uri: resource,
      confirmed: { title: 'Bash', content: [{ type: 'unclassified', value: output }], claim: { kind: 'session', session: uri } },
      pending: [],
      status: { kind: 'live' },
    });
    await view.page.locator('.xterm-rows').getByText('line 9').waitFor();
    const height = () => view.page.locator('.terminal-part').evaluate((part) => part.getBoundingClientRect().height);
    const before = await height();
    assert.ok(before > 100);
    await scrollTo('end');
    await view.next('unwatch');
    assert.equal(await view.page.locator('.xterm').count(), 0);
    assert.ok(Math.abs((await height()) - before) <= 1, `${await height()} px instead of ${before} px`);
  });

  describe('keeps out', () => {
    it('scripts, handlers, dangerous links and remote content', async () => {
      const evil = [
        '<script>window.hacked = 1</script>',
        '<img src=x onerror="window.hacked = 1">',
        '<svg onload="window.hacked = 1"><script>window.hacked = 1</script></svg>',
        '[js](javascript:window.hacked=1) [cmd](command:workbench.action.quit) [data](data:text/html,<script>1</script>) [vb](vbscript:x)',
        '![remote](https://evil.test/pixel.png) ![svg](data:image/svg+xml;base64,PHN2Zy8+) ![ok](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)',
        '[fine](https://example.com/) [rel](./a.md) [file](file:///a.ts)',
        '```"><img src=x onerror=window.hacked=1>\n</code><script>window.hacked=1</script>\n```',
      ].join('\n\n');
      const call = completed('c', {
        pastTenseMessage: { markdown: '<img src=x onerror="window.hacked=1"> [x](javascript:1)' },
        content: [
          { type: 'embeddedResource', contentType: 'image/svg+xml', data: 'PHN2Zy8+' },
          { type: 'embeddedResource', contentType: 'image/png;base64,AAAA" onerror="x', data: 'AAAA' },
          { type: 'text', text: '<script>window.hacked=1</script>' },
        ],
      });
      await view.show(session({ turns: [turn('t1', '<b onclick="window.hacked=1">hi</b>', [markdown(evil), toolCall(call)])] }));
      await view.page.locator('.tool-call summary').click();
      const found = await view.page.evaluate(() => ({
        hacked: 'hacked' in window,
        scripts: document.querySelectorAll('.transcript :is(script, svg, iframe, object, style)').length,
        handlers: [...document.querySelectorAll('.transcript *')].flatMap((element) =>
          element.getAttributeNames().filter((name) => name.startsWith('on')),
        ),
        links: [...document.querySelectorAll('.transcript a[href]')].map((link) => link.getAttribute('href')),
        images: [...document.querySelectorAll('.transcript img')].map((image) => image.getAttribute('src')?.slice(0, 15)),
      }));
      assert.deepEqual(found, {
        hacked: false,
        scripts: 0,
        handlers: [],
        links: ['https://evil.test/pixel.png', 'https://example.com/', 'file:///a.ts'],
        images: ['data:image/png;'],
      });
      assert.match(await text(), /<b onclick="window.hacked=1">hi<\/b>/);
    });

    it('links that say one place and lead to another', async () => {
      await view.show(session({ turns: [turn('t1', 'Hi', [markdown('[https://good.test](https://evil.test/ "https://good.test")')])] }));
      assert.equal(await view.page.getByRole('link').getAttribute('title'), 'https://evil.test/');
    });

    it('what cannot be seen, from what the user approves', async () => {
      await view.show(active([toolCall(waitingCall('c', { toolInput: 'ls \u202e# gpj.\u202c; rm -rf \u200b~' }))]));
      assert.match(await view.page.locator('.waiting-card pre').innerText(), /^ls U\+202E# gpj\.U\+202C; rm -rf U\+200B~$/);
    });

    it('and opens links through the extension only', async () => {
      await view.show(
        session({ turns: [turn('t1', 'Hi', [markdown('[web](https://example.com/a) [file](file:///a.ts)\n\n```js\nlet a;\n```')])] }),
      );
      await view.page.getByRole('link', { name: 'web' }).click();
      assert.equal((await view.next('openExternal')).url, 'https://example.com/a');
      await view.page.getByRole('link', { name: 'file' }).click();
      assert.equal((await view.next('openFile')).uri, 'file:///a.ts');
      await view.page.getByRole('button', { name: 'Copy code' }).click();
      assert.equal((await view.next('copy')).text, 'let a;\n');
      assert.equal(new URL(view.page.url()).pathname, '/');
    });
  });

  describe('lets the user answer a call', () => {
    const options = [
      { id: 'once', label: 'Allow once', kind: 'approve' as const, group: 1 },
      { id: 'always', label: 'Always allow', kind: 'approve' as const, group: 1 },
      { id: 'no', label: 'Reject', kind: 'deny' as const, group: 2 },
      { id: 'odd', label: 'Beam up', kind: 'transport' as never },
    ];

    it('with the host’s options in their order', async () => {
      await view.show(active([toolCall(waitingCall('c', { options }))]));
      const buttons = view.page.locator('.waiting-card vscode-button');
      assert.deepEqual(await buttons.allInnerTexts(), ['Allow once', 'Always allow', 'Reject']);
      assert.equal(await view.page.locator('.waiting-card [role=separator]').count(), 1);
      assert.ok((await text()).includes('rm -rf build && npm run build'), 'the command in full');
      await view.page.getByRole('button', { name: 'Always allow' }).click();
      assert.deepEqual(await view.nextAction('session/toolCallConfirmed'), {
        type: 'session/toolCallConfirmed',
        session: uri,
        turnId: 't',
        toolCallId: 'c',
        selectedOptionId: 'always',
        approved: true,
        confirmed: 'user-action',
      });
    });

    it('in the narrowest sidebar, with every word of the options', async () => {
      await view.close();
      await open({ width: 280 });
      const long = { id: 'all', label: 'Run commands in this session without asking again', kind: 'approve' as const, group: 1 };
      await view.show(active([toolCall(waitingCall('c', { options: [...options, long], editable: true }))]));
      const outside = await view.page.evaluate(() => {
        const card = document.querySelector('.waiting-card')?.getBoundingClientRect();
        return [...document.querySelectorAll('.waiting-card *')]
          .filter((element) => element.getBoundingClientRect().right > (card?.right ?? 0))
          .map((element) => element.textContent);
      });
      assert.deepEqual(outside, []);
      const clipped = await view.page
        .locator('.waiting-card vscode-button')
        .evaluateAll((buttons) => buttons.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
      assert.equal(clipped, 0);
    });

    it('with another input', async () => {
      await view.show(active([toolCall(waitingCall('c', { editable: true }))]));
      await view.page.getByRole('button', { name: 'Edit input' }).click();
      await view.page.getByRole('textbox', { name: 'Input of the tool' }).fill('rm -rf build/tmp');
      await view.send({ type: 'command', command: 'approve' });
      const action = await view.nextAction('session/toolCallConfirmed');
      assert.equal(action.approved && action.editedToolInput, 'rm -rf build/tmp');
    });

    it('with a reason and a suggestion, and the focus goes back to where it was', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await composer().focus();
      await view.page.getByRole('button', { name: 'Deny…' }).click();
      await view.page.getByRole('textbox', { name: 'Reason' }).fill('Too much');
      await view.page.getByRole('textbox', { name: /instead/ }).fill('Remove build/tmp only');
      await view.page.getByRole('button', { name: 'Deny', exact: true }).focus();
      await view.page.keyboard.press('Enter');
      const action = await view.nextAction('session/toolCallConfirmed');
      assert.ok(!action.approved);
      assert.equal(action.reasonMessage, 'Too much');
      assert.deepEqual(action.userSuggestion, { text: 'Remove build/tmp only' });
      await view.actions(action);
      assert.equal(await view.page.locator('.waiting-card').count(), 0);
      assert.equal(await focusedId(), 'composer');
      assert.match(await text(), /denied/);
    });

    it('after seeing the change it would make', async () => {
      const side = (content: string) => ({ uri: 'file:///home/ada/web-app/src/a.ts', content: { uri: content } });
      const edit = { before: side('session-db://before'), after: side('session-db://after') };
      await view.show(active([toolCall(waitingCall('c', { edits: { items: [edit] } }))]));
      for (let count = 0; count < 2; count++) {
        const request = await view.next('request');
        assert.equal(request.method, 'readResource');
        const data = JSON.stringify(request.params).includes('before') ? 'one\ntwo\n' : 'one\n2\n';
        await view.send({ type: 'response', id: request.id, result: { encoding: 'utf-8', data } });
      }
      assert.equal(await view.page.locator('.diff-removed').innerText(), '− two\n');
      assert.equal(await view.page.locator('.diff-added').innerText(), '+ 2\n');
      await view.page.getByRole('button', { name: 'Open diff of a.ts' }).click();
      assert.deepEqual((await view.next('openDiff')).edit, edit);
    });

    it('again when the host refused the answer, and says why', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await view.page.getByRole('button', { name: 'Approve' }).click();
      const action = await view.nextAction('session/toolCallConfirmed');
      await view.send({ type: 'rejected', clientSeq: 1, reason: 'Another client owns it', action });
      await view.page.locator('.waiting-card').getByText('Another client owns it').waitFor();
    });

    it('whether the model gets a result', async () => {
      await view.show(
        active([toolCall({ ...completed('c'), status: 'pending-result-confirmation', content: [{ type: 'text', text: 'secret' }] })]),
      );
      assert.match(await text(), /secret/);
      await view.page.getByRole('button', { name: 'Withhold' }).click();
      assert.deepEqual(await view.nextAction('session/toolCallResultConfirmed'), {
        type: 'session/toolCallResultConfirmed',
        session: uri,
        turnId: 't',
        toolCallId: 'c',
        approved: false,
      });
    });

    it('once, however often the button is pressed, and again after a refusal', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await view.page.getByRole('button', { name: 'Approve' }).dblclick();
      const action = await view.nextAction('session/toolCallConfirmed');
      await view.send({ type: 'rejected', clientSeq: 1, reason: 'Busy', action });
      await view.page.getByRole('button', { name: 'Approve' }).click();
      await view.nextAction('session/toolCallConfirmed');
      assert.equal(view.posted.filter((message) => message.type === 'dispatch').length, 2);
    });

    it('of another client’s session not at all', async () => {
      await view.show(active([toolCall(waitingCall('c'))]), { shown: { readOnly: 'You only watch this session.' } });
      assert.equal(await view.page.locator('.waiting-card vscode-button').count(), 0);
      assert.equal(await composer().getAttribute('placeholder'), 'You only watch this session.');
    });
  });

  describe('asks the agent’s questions', () => {
    const request: SessionInputRequest = {
      id: 'i',
      message: 'Setting up',
      questions: [
        { kind: 'text', id: 'name', message: 'Name', required: true, min: 2, max: 8 },
        { kind: 'number', id: 'ratio', message: 'Ratio', min: 0, max: 1 },
        { kind: 'integer', id: 'port', message: 'Port', required: true, defaultValue: 5432 },
        { kind: 'boolean', id: 'start', message: 'Start now?', required: true },
        { kind: 'single-select', id: 'db', message: 'Database', required: true, options: [{ id: 'pg', label: 'PostgreSQL' }, { id: 'my', label: 'MySQL' }], allowFreeformInput: true }, // prettier-ignore
        { kind: 'multi-select', id: 'more', message: 'Extras', min: 1, options: [{ id: 'a', label: 'Migrations' }, { id: 'b', label: 'Seeds' }], allowFreeformInput: true }, // prettier-ignore
        { kind: 'hologram' as never, id: 'holo', message: 'Wave' },
      ],
    };
    const card = () => view.page.getByRole('region', { name: 'Setting up' });

    it('of every kind, checks the answers and sends them', async () => {
      await view.show(active([markdown('Some questions.')], { inputRequests: [request] }));
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      assert.equal(await card().locator('.problem').count(), 3);
      assert.equal(
        await view.page.evaluate(() => document.activeElement?.closest('[data-question]')?.getAttribute('data-question')),
        'name',
      );
      await card().getByLabel('Name').fill('x');
      await card()
        .getByRole('textbox', { name: /^Ratio/ })
        .fill('1.5');
      await card().getByLabel('Port').fill('80.5');
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      const problems = await card().locator('.problem').allInnerTexts();
      assert.deepEqual(problems.slice(0, 3), ['Enter at least 2 characters.', 'Enter 1 or less.', 'Enter a whole number.']);
      await card().getByLabel('Name').fill('shop');
      await card()
        .getByRole('textbox', { name: /^Ratio/ })
        .fill('0.5');
      await card().getByLabel('Port').fill('80');
      await card().getByLabel('No', { exact: true }).check();
      await card().getByLabel('MySQL').check();
      await card().getByLabel('Seeds').check();
      await card().getByLabel('Also').fill('Fixtures');
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      const action = await view.nextAction('session/inputCompleted');
      const answered = (value: unknown) => ({ state: 'submitted', value });
      assert.deepEqual(action, {
        type: 'session/inputCompleted',
        session: uri,
        requestId: 'i',
        response: 'accept',
        answers: {
          name: answered({ kind: 'text', value: 'shop' }),
          ratio: answered({ kind: 'number', value: 0.5 }),
          port: answered({ kind: 'number', value: 80 }),
          start: answered({ kind: 'boolean', value: false }),
          db: answered({ kind: 'selected', value: 'my' }),
          more: answered({ kind: 'selected-many', value: ['b'], freeformValues: ['Fixtures'] }),
          holo: { state: 'skipped' },
        },
      });
      await view.actions(action);
      assert.equal(await card().count(), 0);
    });

    it('shares drafts, shows those of other windows, and keeps its own over a reload', async () => {
      await view.show(active([], { inputRequests: [request] }));
      await card().getByLabel('Name').pressSequentially('sho');
      const draft = await view.nextAction('session/inputAnswerChanged');
      assert.deepEqual(draft.answer, { state: 'draft', value: { kind: 'text', value: 'sho' } });
      await view.actions({
        type: 'session/inputAnswerChanged',
        session: uri,
        requestId: 'i',
        questionId: 'port',
        answer: { state: 'draft', value: { kind: 'number', value: 81 } },
      });
      assert.equal(await card().getByLabel('Port').inputValue(), '81');
      await card()
        .getByRole('textbox', { name: /^Ratio/ })
        .fill('-');
      await view.page.reload();
      await view.next('ready');
      await view.show(active([], { inputRequests: [request] }));
      assert.equal(
        await card()
          .getByRole('textbox', { name: /^Ratio/ })
          .inputValue(),
        '-',
      );
      assert.equal(await card().getByLabel('Name').inputValue(), 'sho');
    });

    it('and can be declined or cancelled', async () => {
      await view.show(active([], { inputRequests: [request] }));
      await view.page.getByRole('button', { name: 'Decline' }).click();
      const declined = await view.nextAction('session/inputCompleted');
      assert.equal(declined.response, 'decline');
      await view.actions(declined, { type: 'session/inputRequested', session: uri, request: { ...request, id: 'again' } });
      await view.page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal((await view.nextAction('session/inputCompleted')).response, 'cancel');
    });
  });

  it('says what else may not have arrived', async () => {
    const action = { type: 'session/titleChanged' as const, session: uri, title: 'New' };
    await view.show(session(), { pending: [{ clientSeq: 3, action, outcome: 'unknown' }] });
    await view.page.getByText('The new title').waitFor();
    await view.page.getByRole('button', { name: 'Discard' }).click();
    assert.deepEqual(await view.next('resolveUnknown'), { type: 'resolveUnknown', clientSeq: 3, how: 'discard' });
  });

  describe('sends', () => {
    it('a turn when idle, shown as sending until the host has it', async () => {
      await view.show(session(), { root });
      await composer().fill('Hello');
      await composer().press('Shift+Enter');
      await composer().pressSequentially('there');
      await composer().press('Enter');
      const action = await view.nextAction('session/turnStarted');
      assert.equal(action.userMessage.text, 'Hello\nthere');
      assert.equal(await composer().inputValue(), '');
      await view.send({ type: 'actions', uri, actions: [], now: 1, pending: [{ clientSeq: 1, action }] });
      await view.page.locator('.user-message').getByText('sending').waitFor();
      await view.actions(action);
      assert.equal(await view.page.locator('.user-message').getByText('sending').count(), 0);
    });

    it('to the queue while a turn runs, or steers with Alt+Enter', async () => {
      await view.show(active([markdown('Working')]));
      await composer().fill('Then this');
      await composer().press('Enter');
      const queued = await view.nextAction('session/pendingMessageSet');
      assert.deepEqual([queued.kind, queued.userMessage.text], ['queued', 'Then this']);
      await composer().fill('No, that');
      await composer().press('Alt+Enter');
      const steering = await view.nextAction('session/pendingMessageSet');
      assert.equal(steering.kind, 'steering');
      await view.actions(queued, steering, { ...queued, id: 'q2', userMessage: { text: 'And that' } });
      assert.deepEqual(await view.page.locator('.queue-text').allInnerTexts(), ['No, that', 'Then this', 'And that']);
      await view.page.getByRole('button', { name: 'Move down' }).first().click();
      assert.deepEqual((await view.nextAction('session/queuedMessagesReordered')).order, ['q2', queued.id]);
      await view.page.getByRole('button', { name: 'Remove' }).last().click();
      assert.equal((await view.nextAction('session/pendingMessageRemoved')).id, 'q2');
      await view.page.getByRole('button', { name: 'Edit' }).nth(1).click();
      assert.equal((await view.nextAction('session/pendingMessageRemoved')).id, queued.id);
      assert.equal(await composer().inputValue(), 'Then this');
    });

    it('nothing away: refused words come back in front of newer ones', async () => {
      await view.show(session());
      await composer().fill('First');
      await composer().press('Enter');
      const action = await view.nextAction('session/turnStarted');
      await composer().fill('Second');
      await view.send({ type: 'rejected', clientSeq: 1, reason: 'A turn is in progress', action });
      assert.equal(await composer().inputValue(), 'First\n\nSecond');
      await view.page.getByText('A turn is in progress').waitFor();
      await view.page.getByRole('button', { name: 'Dismiss' }).click();
      assert.equal(await view.page.getByText('A turn is in progress').count(), 0);
    });

    it('nothing away when the refusal comes after the user left the session', async () => {
      await view.show(session());
      await composer().fill('First');
      await composer().press('Enter');
      const action = await view.nextAction('session/turnStarted');
      const other = session();
      other.summary = { ...other.summary, resource: 'copilot:/2' };
      await view.show(other);
      await view.send({ type: 'rejected', clientSeq: 1, reason: 'Busy', action });
      assert.equal(await composer().inputValue(), '');
      await view.show(session());
      assert.equal(await composer().inputValue(), 'First');
    });

    it('asks what to do with a message of unknown outcome', async () => {
      const action = { type: 'session/turnStarted' as const, session: uri, turnId: 'u', userMessage: { text: 'Deploy' } };
      await view.show(session(), { pending: [{ clientSeq: 7, action, outcome: 'unknown' }] });
      await view.page.getByText('“Deploy”: the connection was lost').waitFor();
      // It may not run, so nothing may look as if it did.
      assert.equal(await view.page.locator('.user-message').count(), 0);
      assert.equal(await view.page.getByRole('button', { name: /^Stop/ }).count(), 0);
      await view.page.getByRole('button', { name: 'Send again' }).click();
      assert.deepEqual(await view.next('resolveUnknown'), { type: 'resolveUnknown', clientSeq: 7, how: 'sendAgain' });
    });

    it('the message of a failed turn again', async () => {
      await view.show(richSession());
      await view.page.getByRole('button', { name: 'Retry' }).click();
      assert.deepEqual((await view.nextAction('session/turnStarted')).userMessage, { text: 'Run it in production mode' });
    });

    it('attachments: dropped on the view, or says why not', async () => {
      await view.show(session());
      const drop = (list: string) =>
        view.page.evaluate((text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData('text/uri-list', text);
          const target = document.querySelector('.transcript');
          target?.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
          target?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        }, list);
      await drop('# from a list\r\nfile:///w/a.ts\r\nnot a uri\r\nfile:///w/src');
      const asked = await view.next('request');
      assert.deepEqual([asked.method, asked.params], ['attachDropped', { uris: ['file:///w/a.ts', 'file:///w/src'] }]);
      const folder = { type: 'directory' as const, uri: 'file:///w/src', displayName: 'src' };
      await view.send({ type: 'response', id: asked.id, result: [folder] });
      await composer().fill('Look here');
      await composer().press('Enter');
      assert.deepEqual((await view.nextAction('session/turnStarted')).userMessage, { text: 'Look here', attachments: [folder] });
      await drop('https://example.com/');
      await view.send({ type: 'response', id: (await view.next('request')).id, result: [] });
      await view.page.getByRole('alert').getByText('Nothing there can be attached').waitFor();
    });

    it('attachments: picked, found with #, taken off', async () => {
      const file = (name: string) => ({ type: 'file' as const, uri: `file:///w/${name}`, displayName: name });
      await view.show(session());
      await view.page.getByRole('button', { name: 'Attach files' }).click();
      const pick = await view.next('request');
      await view.send({ type: 'response', id: pick.id, result: [file('a.ts'), file('b.ts')] });
      await view.page.getByRole('button', { name: 'Remove a.ts' }).click();
      await composer().pressSequentially('See #c');
      let asked = await view.next('request');
      while (asked.method !== 'findFiles' || asked.params.query !== 'c') asked = await view.next('request');
      await view.send({ type: 'response', id: asked.id, result: [file('c.ts'), file('cc.ts')] });
      await view.page.getByRole('option', { name: 'cc.ts' }).waitFor();
      await composer().press('ArrowDown');
      await composer().press('Enter');
      await composer().press('Enter');
      assert.deepEqual((await view.nextAction('session/turnStarted')).userMessage, {
        text: 'See',
        attachments: [file('b.ts'), file('cc.ts')],
      });
    });

    it('another model and title', async () => {
      await view.show(session(), { root });
      assert.deepEqual(await view.page.getByRole('combobox', { name: 'Model' }).locator('option').allInnerTexts(), [
        'GPT-5',
        'Claude Sonnet 4.5',
      ]);
      await view.page.getByRole('combobox', { name: 'Model' }).selectOption('claude-sonnet-4.5');
      assert.deepEqual((await view.nextAction('session/modelChanged')).model, { id: 'claude-sonnet-4.5' });
      await view.page.getByRole('button', { name: 'Fix the login redirect' }).click();
      await view.page.getByRole('textbox', { name: 'Title of the session' }).fill('Deep links');
      await view.page.keyboard.press('Enter');
      assert.equal((await view.nextAction('session/titleChanged')).title, 'Deep links');
    });
  });

  describe('stops', () => {
    it('at once when nothing would be lost', async () => {
      await view.show(active([]));
      await composer().press('Escape');
      assert.equal((await view.nextAction('session/turnCancelled')).turnId, 't');
    });
    it('after a second Escape when work would be lost', async () => {
      await view.show(active([markdown('Half of the')]));
      await composer().press('Escape');
      await view.page.getByText('Stop this turn?').waitFor();
      assert.ok(!view.posted.some((message) => message.type === 'dispatch'));
      await composer().press('Escape');
      await view.nextAction('session/turnCancelled');
    });
  });

  it('asks whether to stop for three seconds, and as long as the user is at the question', async () => {
    await view.show(active([markdown('Half of the')]));
    await view.page.clock.install();
    const question = view.page.getByText('Stop this turn?');
    await composer().press('Escape');
    await question.waitFor();
    await view.page.clock.fastForward(3500);
    await question.waitFor({ state: 'detached' });
    await composer().press('Escape');
    await view.page.getByRole('button', { name: 'Keep going' }).focus();
    await view.page.clock.fastForward(3500);
    await view.page.getByRole('button', { name: 'Keep going' }).click();
    await question.waitFor({ state: 'detached' });
    assert.ok(!view.posted.some((message) => message.type === 'dispatch'));
  });

  it('keeps what was opened over a reload, and which session it shows', async () => {
    const state = richSession();
    await view.show(state, { root });
    await view.page.locator('.reasoning summary').click();
    await view.page.locator('.tool-call summary').first().click();
    await view.page.locator('.tool-call summary').first().click();
    await view.page.reload();
    await view.next('ready');
    assert.deepEqual(await view.page.evaluate(() => JSON.parse(sessionStorage.getItem('state') ?? '{}').shown), {
      hostId: 'embedded',
      uri,
    });
    await view.show(state, { root });
    assert.equal(await view.page.locator('details.reasoning[open]').count(), 1);
    assert.equal(await view.page.locator('.tool-call details[open]').count(), 0);
  });

  describe('keeps drafts', () => {
    it('with the extension and over a reload', async () => {
      await view.show(session());
      await composer().fill('Half a thought');
      assert.deepEqual(await view.next('draft'), { type: 'draft', uri, draft: { text: 'Half a thought', attachments: [] } });
      await view.page.reload();
      await view.next('ready');
      await view.show(session());
      assert.equal(await composer().inputValue(), 'Half a thought');
    });
    it('of each session apart, and takes what the extension kept', async () => {
      await view.show(session());
      await composer().fill('For the first');
      const other = session();
      other.summary = { ...other.summary, resource: 'copilot:/2' };
      await view.show(other, { draft: { text: 'For the second', attachments: [] } });
      assert.equal(await composer().inputValue(), 'For the second');
      await view.show(session());
      assert.equal(await composer().inputValue(), 'For the first');
    });
    it('and recalls what was sent', async () => {
      await view.show(session({ turns: [turn('a', 'One', []), turn('b', 'Two', [])] }));
      await composer().press('ArrowUp');
      assert.equal(await composer().inputValue(), 'Two');
      await composer().press('ArrowUp');
      assert.equal(await composer().inputValue(), 'One');
      await composer().press('ArrowDown');
      await composer().press('ArrowDown');
      assert.equal(await composer().inputValue(), '');
    });
  });

  it('stays smooth for typing while 2,000 deltas a second come', async () => {
    await view.show(active([{ kind: 'markdown', id: 'p', content: '' }]));
    await composer().focus();
    // Started before the typing and awaited after it: 10,000 deltas over five seconds, in messages as the extension's ticks make them.
    const stream = view.page.evaluate(streamScript(uri)) as Promise<{ frames: number }>;
    const typed = 'the quick brown fox jumps over the lazy dog';
    await composer().pressSequentially(typed, { delay: 40 });
    assert.equal(await composer().inputValue(), typed);
    const { frames } = await stream;
    assert.ok(frames > 25, `only ${frames} frames in five seconds`);
    await view.settle();
    assert.ok((await text()).includes('word9998'));
    assert.ok(
      await view.page.locator('.transcript').evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 24),
      'it follows the end',
    );
  });

  it('does not move under the eyes of a user who has scrolled up', async () => {
    const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}`).join('\n\n');
    await view.show(active([{ kind: 'markdown', id: 'p', content: long }]));
    await view.page.locator('.transcript').hover();
    await view.page.mouse.wheel(0, -300);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const position = () => view.page.locator('.transcript').evaluate((box) => box.scrollTop);
    const before = await position();
    await view.actions({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content: '\n\nmore\n\nand more' });
    assert.equal(await position(), before);
    await view.send({ type: 'command', command: 'jumpToLatest' });
    await view.settle();
    assert.ok((await position()) > before);
  });

  it('can be used with the keyboard alone', async () => {
    await view.show(active([toolCall(waitingCall('c'))]), { root });
    await view.send({ type: 'focus', target: 'needsYou' });
    let context = await view.next('context');
    while (!context.callFocused) context = await view.next('context');
    const reached = new Set<string>();
    for (let step = 0; step < 12; step++) {
      await view.page.keyboard.press('Tab');
      reached.add(
        await view.page.evaluate(() => {
          const element = document.activeElement;
          return (
            element?.getAttribute('aria-label') ??
            element?.shadowRoot?.activeElement?.getAttribute('aria-label') ??
            element?.textContent ??
            ''
          );
        }),
      );
    }
    for (const name of ['Approve', 'Deny', 'Deny…', 'Message', 'Model', 'Stop'])
      assert.ok(reached.has(name), `${name} in ${[...reached].join(', ')}`);
    await view.send({ type: 'focus', target: 'needsYou' });
    await view.send({ type: 'command', command: 'deny' });
    assert.equal((await view.nextAction('session/toolCallConfirmed')).approved, false);
  });

  it('tells screen readers what needs the user and what ended, not the stream', async () => {
    await view.show(active([{ kind: 'markdown', id: 'p', content: 'x' }]));
    const live = view.page.locator('[aria-live=polite]');
    await view.actions({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content: 'a secret' });
    assert.equal(await live.innerText(), '');
    await view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: toolCall(waitingCall('c')) });
    await live.getByText('Needs you: Run in terminal').waitFor({ state: 'attached' });
    await view.actions({ type: 'session/turnComplete', session: uri, turnId: 't' });
    await live.getByText('Finished').waitFor({ state: 'attached' });
  });

  describe('passes axe', () => {
    // A side bar, an editor, and between.
    const widths: Record<ThemeName, number> = { dark: 300, light: 900, highContrast: 420 };
    const states: Record<string, SessionState> = {
      rich: richSession(),
      waiting: active([toolCall(waitingCall('c', { editable: true }))], { queuedMessages: [{ id: 'q', userMessage: { text: 'Next' } }] }),
      questions: active([], {
        inputRequests: [
          {
            id: 'i',
            message: 'Setting up',
            questions: [
              { kind: 'text', id: 'a', message: 'Name', required: true },
              { kind: 'boolean', id: 'b', message: 'Start?' },
              { kind: 'single-select', id: 'c', message: 'Which?', options: [{ id: 'x', label: 'X' }], allowFreeformInput: true },
            ],
          },
        ],
      }),
    };
    for (const theme of Object.keys(themes) as ThemeName[]) {
      for (const [name, state] of Object.entries(states)) {
        it(`${name}, ${theme}`, async () => {
          await view.close();
          await open({ theme, width: widths[theme] });
          await view.show(state, { root });
          if (name === 'rich') for (const fold of await view.page.locator('.tool-call summary').all()) await fold.click();
          await view.settle();
          await view.screenshot(`${name}-${theme}`);
          await view.page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
          const results = (await view.page.evaluate('axe.run(document, { preload: false })')) as AxeResults;
          assert.deepEqual(
            results.violations.map(
              (violation) =>
                `${violation.id}: ${violation.nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`).join(' | ')}`,
            ),
            [],
          );
        });
      }
    }
  });
});

/** Posts 10,000 deltas over five seconds and counts the frames meanwhile. As text: tsx would put helpers into a function. */
function streamScript(uri: string): string {
  return `new Promise((resolve) => {
    const uri = ${JSON.stringify(uri)};
    const total = 10000;
    const started = performance.now();
    let sent = 0;
    let frames = 0;
    const frame = () => {
      frames++;
      if (sent < total) requestAnimationFrame(frame);
      else resolve({ frames });
    };
    const tick = () => {
      const due = Math.min(total, Math.floor((performance.now() - started) * 2));
      for (; sent < due; sent++) {
        const content = sent % 40 === 0 ? '\\n\\n' : sent % 9 === 0 ? ' **bold**' : ' word' + sent;
        const action = { type: 'session/delta', session: uri, turnId: 't', partId: 'p', content };
        window.postMessage([{ type: 'actions', uri, actions: [action], now: 1 }], '*');
      }
      if (sent < total) setTimeout(tick, 5);
    };
    requestAnimationFrame(frame);
    tick();
  })`;
}
