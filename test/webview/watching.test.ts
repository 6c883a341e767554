/** What is watched for a session, in its page: the commands of the composer, the panel of the header, the filter. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { splitContext } from '../../src/base/text/contextBlock.ts';
import { SessionPage } from './sessionPage.ts';
import { chat, MAIN, session as twoChats, SESSION, SIDE } from './channelSession.ts';
import { markdown, root, session, turn, uri } from './sessions.ts';
import { type ThemeName, themes } from './themes.ts';
import { emitterStatus, WatchedEmitters } from './watchedEmitters.ts';
import { type Harness, type PageOptions, startWebview } from './webviewPage.ts';

class WatchingPage extends SessionPage {
  readonly gateway = new WatchedEmitters();
  /** Of the only prompt file of the repository. */
  prompt: string | undefined;

  protected override take(message: unknown) {
    const taken = super.take(message);
    if (taken?.type === 'request' && taken.method === 'emitters') {
      const answer = this.gateway.answer(taken.params);
      if (answer) void this.send({ type: 'response', id: taken.id, ...answer }).catch(() => undefined);
    }
    const answer = (id: number, result: unknown) => void this.send({ type: 'response', id, result }).catch(() => undefined);
    if (taken?.type === 'request' && taken.method === 'findPrompts')
      answer(taken.id, this.prompt === undefined ? [] : [{ name: 'review', path: '.github/prompts/review.prompt.md' }]);
    if (taken?.type === 'request' && taken.method === 'readPrompt') answer(taken.id, { text: this.prompt });
    return taken;
  }
}

describe('the session webview, with what is watched', function () {
  this.timeout(60_000);
  let harness: Harness<WatchingPage>;
  let view: WatchingPage;

  before(async () => {
    harness = await startWebview('session', (page) => new WatchingPage(page));
  });
  after(() => harness?.close());
  beforeEach(() => open());
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    await view.close();
  });

  const open = async (options?: PageOptions) => (view = await harness.open(options));
  const composer = () => view.page.locator('#composer');
  const tell = () => {
    const { all } = view.gateway;
    const count = { active: all.filter(({ state }) => state === 'waiting' || state === 'running').length, all: all.length };
    return view.send({
      type: 'bridge',
      uri,
      bridge: { clientId: 'me', rows: [], calls: [], pairings: [], ...(count.all > 0 && { emitters: count }) },
    });
  };
  const openPanel = async () => {
    await tell();
    await view.page.getByRole('button', { name: /^Watching|^Nothing watched/ }).click();
    await view.page.getByRole('list', { name: 'What is watched' }).waitFor();
  };
  /** Until what Enter does has been there for as long as the cards wait. */
  const untilRead = () => view.page.locator('.loop-hint[data-read="true"]').waitFor();
  const untilEmpty = () => view.page.waitForFunction(() => (document.querySelector('#composer') as HTMLTextAreaElement).value === '');
  const row = (name: string) => view.page.locator(`[data-emitter="${name}"]`);

  describe('commands of the composer', () => {
    it('are offered with help, and taken by the keyboard', async () => {
      await view.show(session(), { root });
      await composer().pressSequentially('/');
      const options = view.page.getByRole('listbox', { name: 'Prompts and commands' }).getByRole('option');
      await options.filter({ hasText: '/tap-goal' }).waitFor();
      const names = (await options.allInnerTexts()).join('\n');
      for (const command of ['/loop', '/tap-monitor', '/tap-orchestrate', '/tap-goal']) assert.ok(names.includes(command), command);
      await composer().pressSequentially('lo');
      await view.page.locator('[role="option"]:only-child', { hasText: '/loop' }).waitFor();
      await composer().press('Enter');
      assert.equal(await composer().inputValue(), '/loop ');
    });

    it('say before they start what Enter does: a command is run', async () => {
      await view.show(session(), { root });
      await composer().fill('/loop 2s npm test');
      const hint = view.page.getByRole('group', { name: 'What Enter does' });
      await hint.getByText('Enter runs this command every 2 s.').waitFor();
      assert.match(await hint.innerText(), /\$ npm test/);
      await untilRead();
      await composer().press('Enter');
      await untilEmpty();
      const [started] = view.gateway.done;
      assert.ok(started?.deed === 'start');
      assert.deepEqual([started.emitter.command, started.emitter.runInterval], ['npm test', '2s']);
      assert.ok(!view.posted.some(({ type }) => type === 'dispatch'), 'no message was sent');
    });

    it('become the other kind by a button, and a message is sent while the session is idle', async () => {
      await view.show(session(), { root });
      await composer().fill('/loop 5m npm test');
      await view.page.getByRole('button', { name: 'Send it as a message instead' }).click();
      await view.page.getByText('Enter sends this message to the agent every 5 min, while the session is idle:').waitFor();
      assert.equal(await composer().inputValue(), '/loop 5m "npm test"');
      await untilRead();
      await composer().press('Enter');
      await untilEmpty();
      const [started] = view.gateway.done;
      assert.deepEqual(started?.deed === 'start' && started.emitter, { prompt: 'npm test', runInterval: '5m' });
    });

    it('keep the words and say why nothing was started', async () => {
      await view.show(session(), { root });
      await composer().fill('/loop sometimes npm test');
      await composer().press('Enter');
      await view.page.getByRole('alert').getByText('“sometimes” is not how often.').waitFor();
      view.gateway.refusal = 'a session has at most 20 emitters: stop one first';
      await composer().fill('/loop 5m npm test');
      await untilRead();
      await composer().press('Enter');
      await view.page.getByRole('alert').getByText('a session has at most 20 emitters').waitFor();
      assert.equal(await composer().inputValue(), '/loop 5m npm test');
      assert.deepEqual(view.gateway.done, []);
    });

    it('start nothing before what Enter does could be read', async () => {
      await view.show(session(), { root });
      await composer().fill('/loop 5m npm test');
      await composer().press('Enter');
      await view.page.getByRole('alert').getByText('Nothing was started yet. Look at what Enter does, and press it again.').waitFor();
      assert.deepEqual([view.gateway.done, await composer().inputValue()], [[], '/loop 5m npm test']);
      await untilRead();
      await composer().press('Enter');
      await untilEmpty();
      assert.equal(view.gateway.done.length, 1);
    });

    it('start nothing for a command of the shell, which sends what is there', async () => {
      await view.show(session(), { root, draft: { text: '/loop 5m npm test', attachments: [] } });
      await view.send({ type: 'command', command: 'sendDraft' });
      assert.equal((await view.nextDispatch('chat/turnStarted')).action.message.text, '/loop 5m npm test');
      assert.deepEqual(view.gateway.done, []);
    });

    it('take no attachments, and say so before', async () => {
      await view.show(session(), { root });
      await composer().fill('/loop 5m npm test');
      await view.send({ type: 'attach', attachments: [{ type: 'resource', uri: 'file:///w/a.ts', label: 'a.ts', displayKind: 'file' }] });
      await view.page.locator('.loop-hint', { hasText: 'A loop takes no attachments. Remove them first.' }).waitFor();
      await composer().press('Enter');
      await view.page.getByRole('alert').getByText('A loop takes no attachments. Remove them first.').waitFor();
      assert.deepEqual([view.gateway.done, await composer().inputValue()], [[], '/loop 5m npm test']);
      await view.page.getByRole('button', { name: 'Remove a.ts' }).click();
      await untilRead();
      await composer().press('Enter');
      await untilEmpty();
      assert.equal(view.gateway.done.length, 1);
    });

    it('are for the chat to which their messages go, and say which that is', async () => {
      const tell = (kind: 'session' | 'chat', where: string, confirmed: object) =>
        view.send({ type: 'snapshot', uri: where, kind, dialect: 'channels', confirmed, pending: [], status: { kind: 'live' } });
      await view.send(
        { type: 'show', session: { hostId: 'today', uri: SESSION, hostLabel: 'today' } },
        { type: 'connection', connection: { kind: 'connected' } },
      );
      await tell('session', SESSION, twoChats());
      await tell('chat', MAIN, chat(MAIN));
      await tell('chat', SIDE, chat(SIDE));
      await view.page.getByRole('tab', { name: 'Aside' }).click();
      await composer().fill('/loop 5m check the deploy');
      const why = 'A loop belongs to the session, and what it sends goes to its first chat “Main”, not to this one. Start it there.';
      await view.page.locator('.loop-hint', { hasText: why }).waitFor();
      await composer().press('Enter');
      await view.page.getByRole('alert').getByText(why).waitFor();
      assert.deepEqual(view.gateway.done, []);
      await view.page.getByRole('tab', { name: 'Main' }).click();
      await composer().fill('/loop 5m check the deploy');
      await untilRead();
      await composer().press('Enter');
      await untilEmpty();
      assert.equal(view.gateway.done.length, 1);
    });

    describe('that the user has not typed', () => {
      const LOOP = '/loop 1m $ ./x.sh';
      /** What is in the field is sent as it is, and nothing was started. */
      const isMessage = async (text = LOOP) => {
        await view.page.locator('.loop-hint', { hasText: 'Enter sends this to the agent as a message, because' }).waitFor();
        await composer().press('Enter');
        assert.equal((await view.nextDispatch('chat/turnStarted')).action.message.text, text);
        assert.deepEqual(view.gateway.done, []);
      };
      const choosePrompt = async () => {
        view.prompt = LOOP;
        await view.show(session(), { root });
        await composer().pressSequentially('/rev');
        await view.page.getByRole('option', { name: '/review' }).waitFor();
        await composer().press('Enter');
        await view.page.waitForFunction((text) => (document.querySelector('#composer') as HTMLTextAreaElement).value === text, LOOP);
      };

      it('are messages, such as those of a prompt file of the repository', async () => {
        await choosePrompt();
        await isMessage();
      });

      it('stay messages when the user adds to them', async () => {
        await choosePrompt();
        await composer().press('End');
        await composer().pressSequentially(' -v');
        await isMessage(`${LOOP} -v`);
      });

      it('stay messages when the user empties the field and undoes that', async () => {
        await choosePrompt();
        await composer().press('ControlOrMeta+a');
        await composer().press('Delete');
        await composer().press('ControlOrMeta+z');
        assert.equal(await composer().inputValue(), LOOP);
        await isMessage();
      });

      it('are commands once all of it was written anew', async () => {
        await choosePrompt();
        await composer().fill('/loop 5m npm test');
        await untilRead();
        await composer().press('Enter');
        await untilEmpty();
        assert.equal(view.gateway.done.length, 1);
      });

      it('are messages, such as an earlier one that comes back, also where the user has started the same', async () => {
        await view.show(session({ turns: [turn('t', LOOP, [markdown('Done')])] }), { root });
        await composer().fill(LOOP);
        await untilRead();
        await composer().press('Enter');
        await untilEmpty();
        assert.equal(view.gateway.done.splice(0).length, 1);
        await composer().press('ArrowUp');
        assert.equal(await composer().inputValue(), LOOP);
        await isMessage();
      });

      it('are messages, such as a draft that was kept, or one of another client', async () => {
        await view.show(session(), { root, draft: { text: LOOP, attachments: [] } });
        await composer().focus();
        await isMessage();
      });

      it('are messages, such as one that the host has refused', async () => {
        await view.show(session(), { root });
        await composer().fill('Go');
        await composer().press('Enter');
        const { message, ...action } = await view.nextAction('chat/turnStarted');
        const refused = { ...action, message: { ...message, text: LOOP } };
        await view.send({ type: 'rejected', session: { hostId: 'embedded', uri }, clientSeq: 1, reason: 'no', action: refused });
        await composer().focus();
        await isMessage();
      });

      it('are messages, such as a text that is dropped into the field', async () => {
        await view.show(session({ turns: [turn('t', 'Go', [markdown(`See\n\n\`\`\`\n${LOOP}\n\`\`\``)])] }), { root });
        const code = view.page.locator('.code-block code');
        await code.selectText();
        await code.dragTo(composer());
        await view.page.waitForFunction(() => (document.querySelector('#composer') as HTMLTextAreaElement).value !== '');
        await isMessage();
      });
    });

    it('are typed or pasted', async () => {
      await view.show(session(), { root });
      await composer().fill('/loop 5m npm test');
      await composer().press('ControlOrMeta+a');
      await composer().press('ControlOrMeta+x');
      await composer().press('ControlOrMeta+v');
      await untilRead();
      await composer().press('Enter');
      await untilEmpty();
      assert.equal(view.gateway.done.length, 1);
    });

    it('for the agent go as they are typed, with a part that explains them', async () => {
      await view.show(session(), { root });
      await composer().fill('/tap-goal the tests pass');
      await composer().press('Enter');
      const { action } = await view.nextDispatch('chat/turnStarted');
      const { parts, words } = splitContext(action.message.text);
      assert.equal(words, '/tap-goal the tests pass');
      assert.deepEqual(
        parts.map(({ kind, provider, name }) => [kind, provider, name]),
        [['item', 'tap', '/tap-goal']],
      );
      assert.equal(await composer().inputValue(), '');
    });
  });

  describe('the panel', () => {
    it('is a row of the header as long as something is or was watched', async () => {
      await view.show(session(), { root });
      await tell();
      assert.equal(await view.page.getByRole('button', { name: /Watching/ }).count(), 0);
      view.gateway.all = [emitterStatus({ state: 'running' })];
      await tell();
      await view.page.getByRole('button', { name: 'Watching 1' }).waitFor();
    });

    it('shows the whole command, the state, the next run, what was printed last, and what came of all lines', async () => {
      await view.show(session(), { root });
      const command = `npm test -- ${'--reporter dot '.repeat(20)}`.trim();
      view.gateway.all = [
        emitterStatus({ command, nextRunInMs: 42_000, lastLine: '<b>1 failing</b>', lastEnd: 'exit code 1' }),
        emitterStatus({ name: 'deploy', state: 'ended', runSchedule: 'oneTime' }),
      ];
      await openPanel();
      const shown = await row('npm-test').innerText();
      for (const words of [command, 'Waiting · every 5 min · Next run in 42 s', '<b>1 failing</b>', 'exit code 1'])
        assert.ok(shown.includes(words), words);
      assert.match(shown, /1 dropped · 20 kept · 3 shown to you · 4 given to the agent · 3 runs · Started by you/);
      assert.match(await row('deploy').innerText(), /Over · once/);
    });

    it('starts, runs and stops by the keyboard, and the focus stays', async () => {
      await view.show(session(), { root });
      view.gateway.all = [emitterStatus()];
      await openPanel();
      const focused = () =>
        view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
      await view.page.keyboard.press('Tab');
      // The list scrolls no more than its panel, so the first stop is the first button.
      assert.equal(await focused(), 'Stop npm-test');
      await view.page.keyboard.press('Enter');
      await view.page.getByRole('button', { name: 'Start Again npm-test' }).waitFor();
      assert.equal(await focused(), 'Start Again npm-test');
      await view.page.keyboard.press('Enter');
      await view.page.getByRole('button', { name: 'Stop npm-test' }).waitFor();
      assert.deepEqual(view.gateway.done, [
        { deed: 'stop', name: 'npm-test' },
        { deed: 'run', name: 'npm-test' },
      ]);
      await view.page.keyboard.press('Escape');
      assert.equal(await focused(), 'Watching 1');
      assert.equal(await row('npm-test').count(), 0);
    });

    it('asks for one to be kept in the file of its folder, and not for one that is', async () => {
      await view.show(session(), { root });
      view.gateway.all = [emitterStatus(), emitterStatus({ name: 'kept', lifespan: 'persistent' })];
      await openPanel();
      const keep = view.page.getByRole('button', { name: /^Keep in tap\.config\.json/ });
      assert.equal(await keep.count(), 1);
      await keep.press('Enter');
      await view.page
        .getByRole('status')
        .getByText('npm-test is in tap.config.json, which is not saved yet')
        .waitFor({ state: 'attached' });
      assert.deepEqual(view.gateway.done, [{ deed: 'keep', name: 'npm-test' }]);
    });

    it('keeps the rows in the order in which they were started', async () => {
      await view.show(session(), { root });
      view.gateway.all = [emitterStatus({ name: 'a' }), emitterStatus({ name: 'b' }), emitterStatus({ name: 'c' })];
      await openPanel();
      const names = () => view.page.locator('.emitter').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-emitter')));
      await view.page.getByRole('button', { name: 'Stop a' }).click();
      await row('a').getByText('Stopped').waitFor();
      assert.deepEqual(await names(), ['a', 'b', 'c']);
    });

    it('says that it asks until there is an answer, and names the emitter whose lines wait', async () => {
      await view.show(session(), { root });
      const answer = view.gateway.answer.bind(view.gateway);
      view.gateway.all = [emitterStatus({ injector: { enabled: false, waiting: 2, dropped: 0, isPaused: false } })];
      let isAway = true;
      view.gateway.answer = (request) => (isAway ? undefined : answer(request));
      await tell();
      await view.page.getByRole('button', { name: 'Watching 1' }).click();
      await view.page.getByText('Asking the gateway…').waitFor();
      isAway = false;
      await view.page.getByRole('button', { name: 'Watching 1' }).click();
      await view.page.getByRole('button', { name: 'Watching 1' }).click();
      await view.page.getByRole('button', { name: 'Give Them to the Agent: npm-test' }).click();
      await view.page.getByText('Asking the gateway…').waitFor({ state: 'detached' });
      assert.deepEqual(view.gateway.done, [{ deed: 'injector', name: 'npm-test', enabled: true }]);
    });

    it('says why something was not done', async () => {
      await view.show(session(), { root });
      view.gateway.all = [emitterStatus()];
      await openPanel();
      view.gateway.refusal = 'the session is ending';
      await view.page.getByRole('button', { name: 'Stop npm-test' }).click();
      await view.page.getByRole('alert').getByText('the session is ending').waitFor();
    });

    it('asks the shell for something new to watch', async () => {
      await view.show(session(), { root });
      view.gateway.all = [emitterStatus()];
      await openPanel();
      await view.page.getByRole('button', { name: 'Watch Something…' }).click();
      assert.deepEqual(await view.next('runCommand'), { type: 'runCommand', command: 'watchSomething' });
    });
  });

  describe('the filter', () => {
    const verdicts = async () => (await view.page.locator('.filter-line').allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').trim());
    const edit = async (lines = ['ok 1', 'not ok 2', 'noise']) => {
      await view.show(session(), { root });
      view.gateway.all = [emitterStatus({ eventFilter: [{ match: 'noise', outcome: 'drop' }] })];
      view.gateway.lines = lines;
      await openPanel();
      await view.page.getByRole('button', { name: 'Filter of npm-test' }).click();
      await view.page.locator('.filter-line').first().waitFor();
    };

    it('marks the last lines while it is typed by what would become of them, and is in force once it is used', async () => {
      await open({ width: 800 });
      await edit();
      assert.deepEqual(await verdicts(), ['kept ok 1', 'kept not ok 2', 'dropped by rule 1 noise']);
      await view.page.getByRole('button', { name: 'Add Rule' }).click();
      await view.page.keyboard.type('^not ok');
      await view.page.getByLabel('What rule 2 does').selectOption('inject');
      await view.page.getByText('Of the last 3 lines: 1 dropped, 1 kept, 1 given to the agent.').waitFor();
      assert.deepEqual(await verdicts(), ['kept ok 1', 'given to the agent by rule 2 not ok 2', 'dropped by rule 1 noise']);
      assert.deepEqual(view.gateway.done, [], 'nothing is in force yet');
      await view.page.getByLabel('Pattern of rule 2').press('Enter');
      await view.page.locator('.filter-editor').waitFor({ state: 'detached' });
      assert.deepEqual(view.gateway.done, [
        {
          deed: 'filter',
          name: 'npm-test',
          eventFilter: [
            { match: 'noise', outcome: 'drop' },
            { match: '^not ok', outcome: 'inject' },
          ],
        },
      ]);
      assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Filter of npm-test');
    });

    it('goes by the first rule, and rules can be moved and removed by the keyboard', async () => {
      await open({ width: 800 });
      await edit(['noise']);
      await view.page.getByRole('button', { name: 'Add Rule' }).click();
      await view.page.keyboard.type('no');
      await view.page.getByLabel('What rule 2 does').selectOption('surface');
      await view.page.getByRole('button', { name: 'Move rule 2 up' }).press('Enter');
      await view.page.getByText('shown to you by rule 1').waitFor();
      assert.equal(await view.page.getByLabel('Pattern of rule 1').inputValue(), 'no');
      await view.page.getByRole('button', { name: 'Remove rule 1' }).press('Enter');
      await view.page.getByText('dropped by rule 1').waitFor();
      assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Pattern of rule 1');
    });

    it('says what is wrong at the place of the rule, judges by the others, and cannot be used', async () => {
      await edit();
      await view.page.getByRole('button', { name: 'Add Rule' }).click();
      await view.page.keyboard.type('(ok');
      const pattern = view.page.getByLabel('Pattern of rule 2');
      await view.page.locator('[data-rule="1"] .emitter-problem').waitFor();
      assert.equal(await pattern.getAttribute('aria-invalid'), 'true');
      const described = await pattern.getAttribute('aria-describedby');
      assert.match(await view.page.locator(`[id="${described}"]`).innerText(), /\S/);
      const use = view.page.getByRole('button', { name: 'Use This Filter' });
      assert.equal(await use.getAttribute('aria-disabled'), 'true');
      await pattern.press('Enter');
      await view.page.getByRole('alert').getByText('The filter is not in force, because something in it is wrong.').waitFor();
      assert.deepEqual(view.gateway.done, []);
      assert.ok((await verdicts()).some((line) => line.startsWith('dropped')));
      await view.page.keyboard.type(')');
      await view.page.locator('[data-rule="1"] .emitter-problem').waitFor({ state: 'detached' });
      assert.equal(await use.getAttribute('aria-disabled'), 'false');
    });

    const focused = () =>
      view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

    it('keeps the focus in it when its only rule is removed', async () => {
      await edit();
      await view.page.getByRole('button', { name: 'Remove rule 1' }).press('Enter');
      assert.equal(await focused(), 'Add Rule');
    });

    it('says how many rules there may be', async () => {
      await view.show(session(), { root });
      view.gateway.all = [emitterStatus({ eventFilter: Array.from({ length: 50 }, (_, at) => ({ match: `${at}`, outcome: 'drop' })) })];
      await openPanel();
      await view.page.getByRole('button', { name: 'Filter of npm-test' }).click();
      await view.page.getByRole('button', { name: 'Add Rule' }).press('Enter');
      await view.page.getByRole('alert').getByText('A filter has at most 50 rules.').waitFor();
      assert.equal(await view.page.locator('.filter-rule').count(), 50);
    });

    it('is there again after Escape, until it is used or cancelled', async () => {
      await edit();
      await view.page.getByLabel('Pattern of rule 1').fill('half written');
      await view.page.keyboard.press('Escape');
      assert.equal(await focused(), 'Unused Filter of npm-test');
      await view.page.keyboard.press('Escape');
      assert.equal(await row('npm-test').count(), 0, 'the panel is closed');
      await view.page.getByRole('button', { name: 'Watching 1' }).press('Enter');
      await view.page.getByRole('button', { name: 'Unused Filter of npm-test' }).click();
      await view.page.getByText('This is what you have written before. It is not in force.').waitFor();
      assert.equal(await view.page.getByLabel('Pattern of rule 1').inputValue(), 'half written');
      await view.page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await focused(), 'Filter of npm-test');
      await view.page.getByRole('button', { name: 'Filter of npm-test' }).click();
      assert.equal(await view.page.getByLabel('Pattern of rule 1').inputValue(), 'noise');
    });

    it('replaces no filter that was set meanwhile, unless the user says so', async () => {
      await edit();
      await view.page.getByLabel('Pattern of rule 1').fill('mine');
      const ofAgent = [{ match: 'by the agent', outcome: 'drop' as const }];
      view.gateway.all = view.gateway.all.map((one) => ({ ...one, eventFilter: ofAgent }));
      await view.page.getByLabel('Pattern of rule 1').press('Enter');
      const alert = view.page.getByRole('alert');
      await alert.getByText('The filter is not in force yet: another one was set while you were writing.').waitFor();
      assert.deepEqual(view.gateway.done, []);
      await view.page.getByRole('button', { name: 'Show the Other One' }).click();
      assert.equal(await view.page.getByLabel('Pattern of rule 1').inputValue(), 'by the agent');
      await view.page.getByLabel('Pattern of rule 1').fill('mine');
      view.gateway.all = view.gateway.all.map((one) => ({ ...one, eventFilter: [] }));
      await view.page.getByLabel('Pattern of rule 1').press('Enter');
      await view.page.getByRole('button', { name: 'Use This Filter Instead' }).click();
      await view.page.locator('.filter-editor').waitFor({ state: 'detached' });
      assert.deepEqual(view.gateway.done, [{ deed: 'filter', name: 'npm-test', eventFilter: [{ match: 'mine', outcome: 'drop' }] }]);
    });

    it('is left by Escape as it was, and the panel stays', async () => {
      await edit();
      await view.page.getByLabel('Pattern of rule 1').fill('other');
      await view.page.keyboard.press('Escape');
      assert.equal(await view.page.locator('.filter-editor').count(), 0);
      assert.equal(await row('npm-test').count(), 1);
      assert.deepEqual(view.gateway.done, []);
    });
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`can be used by everybody, in ${theme}`, async () => {
      await open({ theme, width: 500 });
      await view.show(session(), { root });
      view.gateway.all = [
        emitterStatus({ state: 'running', lastLine: 'ok 12', eventFilter: [{ match: '(', outcome: 'drop' }] }),
        emitterStatus({ name: 'check-the-deploy', state: 'failed', lastEnd: 'There is no such folder', startedBy: 'model' }),
      ];
      view.gateway.lines = ['ok 1', 'not ok 2'];
      await openPanel();
      await view.page.getByRole('button', { name: 'Filter of npm-test' }).click();
      await view.page.locator('.filter-line').first().waitFor();
      await view.page.locator('.filter-editor .emitter-problem').first().waitFor();
      await composer().fill('/loop 2s npm test');
      await view.page.getByRole('group', { name: 'What Enter does' }).waitFor();
      if (process.env['SHOTS']) {
        mkdirSync(process.env['SHOTS'], { recursive: true });
        await view.page.screenshot({ path: `${process.env['SHOTS']}/panel-${theme}.png` });
      }
      assert.deepEqual(await view.violations(), []);
    });
});
