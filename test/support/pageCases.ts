/**
 * What the pages of a session and of what needs the user do, whichever shell they are in: VS Code's webviews, a window of VS Code, the portal. Each
 * runs these at a host with the demo agent, and the user's clicks and keys are real.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Locator } from 'playwright-core';
import type { ChatState } from '../../src/ahp/channels/chat/state.ts';
import { type AgentHostClient, type ChatModel, whenLive } from '../../src/ahp/index.ts';
import { denyWithReason } from './denyWithReason.ts';
import { until } from './until.ts';

const LONG = Array.from({ length: 80 }, (_, at) => `Line ${at + 1} of the case.`).join('\n');
/** How often somebody presses a button, and how long they look at what it shows. */
const MAX_PRESSES = 20;
const LOOK_MS = 1_000;
const CAME = [() => true, () => false] as const;

/** A page, or the frame that it is in. */
export type Within = Pick<FrameLocator, 'locator' | 'getByRole' | 'getByText' | 'getByLabel'>;

export interface PageShellOfCases {
  /** In which the sessions work. */
  readonly folder: string;
  /** Somebody else at the host. */
  readonly other: AgentHostClient;
  /** Shows the page of a session. */
  show(session: { uri: string; title: string }): Promise<void>;
  readonly session: Within;
  /** Shows the page “Needs You”. */
  inbox(): Promise<Within>;
  /** One line, into the terminal of the call that runs. */
  typeIntoTerminal(line: string): Promise<void>;
  /** Nothing comes from the page to the host any more, nor back. Resolves when the page says so. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

export function pageCases(shell: () => PageShellOfCases): void {
  const { opened, say, file } = helpers(shell);
  const view = () => shell().session;
  const card = () => view().locator('.waiting-card');
  const composer = () => view().locator('#composer');
  const idle = () => view().locator('.state', { hasText: 'Idle' }).waitFor();
  const saidByUser = (text: string) => view().locator('.user-message', { hasText: text });
  async function send(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press('Enter');
  }
  /** A session of its own, at its page, in which this was said. */
  async function begin(text: string): Promise<{ chat: ChatModel }> {
    const session = await opened();
    await shell().show(session);
    await view().locator('.header', { hasText: session.title }).waitFor();
    await send(text);
    return session;
  }

  describe('the page of a session', () => {
    it('runs what was approved, and nothing before', async () => {
      const made = file('approved');
      await begin(`run echo yes-$((40+2)) | tee ${made}`);
      await card().getByText('yes-$((40+2))').first().waitFor();
      assert.equal(existsSync(made), false);
      await press(card(), 'Run once');
      await card().waitFor({ state: 'detached' });
      await idle();
      assert.equal(readFileSync(made, 'utf8'), 'yes-42\n');
    });

    it('denies with a reason, which the agent is told', async () => {
      const made = file('denied');
      await begin(`run touch ${made}`);
      await card().waitFor();
      await denyWithReason(card(), 'not on Mondays');
      await view().locator('.transcript').getByText('not on Mondays').first().waitFor();
      await idle();
      assert.equal(existsSync(made), false);
    });

    it('shows the difference that an edit makes, applies it once it is allowed, and says what was changed', async () => {
      const name = `notes-${randomUUID()}.md`;
      await begin(`edit ${name} A line of the case.`);
      await card().getByText('A line of the case.').first().waitFor();
      assert.equal(existsSync(file(name)), false);
      await press(card(), 'Apply the edit');
      await view().locator('.turn-end', { hasText: '1 file changed' }).waitFor();
      assert.match(readFileSync(file(name), 'utf8'), /A line of the case\./);
    });

    it('applies an edit only once all of its difference was in view', async () => {
      const name = `notes-${randomUUID()}.md`;
      await begin(`edit ${name} ${LONG}`);
      await card().waitFor();
      await pressUntilSeen(card(), 'Apply the edit', () => assert.equal(existsSync(file(name)), false));
      await view().locator('.turn-end', { hasText: '1 file changed' }).waitFor();
      assert.ok(readFileSync(file(name), 'utf8').includes(LONG));
    });

    it('runs a command with the input as the user has left it', async () => {
      await begin('run echo first');
      await card().getByRole('button', { name: 'Edit input' }).press('Enter');
      await card().getByRole('textbox', { name: 'Input of the tool' }).fill('echo by-hand-$((40+2))');
      await press(card(), 'Run once');
      await view().locator('.transcript').getByText('by-hand-42').first().waitFor();
      await idle();
    });

    it('takes answers to questions of every kind, and says what is wrong with one', async () => {
      await begin('ask');
      const field = (name: RegExp) => card().getByRole('textbox', { name });
      const submit = (sign: Locator, state?: 'detached') => pressUntil(card(), 'Send answers', sign, state);
      await field(/How many people/).fill('0');
      await submit(card().getByText('Enter 1 or more.'));
      await field(/name of the project/).fill('Tapline');
      await field(/How many people/).fill('12');
      await card().getByRole('radio', { name: 'No', exact: true }).check();
      await card()
        .getByRole('radio', { name: /^PostgreSQL/ })
        .check();
      await card()
        .getByRole('checkbox', { name: /^Linux/ })
        .check();
      await submit(card(), 'detached');
      const told = view().locator('.turn').last();
      await told.getByText('This is what I got').waitFor();
      for (const text of ['Tapline', '12', 'PostgreSQL', 'Linux']) await told.getByText(text).first().waitFor();
    });

    it('types into the terminal of a command that runs', async () => {
      const made = file('typed');
      await begin(`run read word; echo "got $word" > ${made}`);
      await press(card(), 'Run once');
      await shell().typeIntoTerminal('hello');
      await idle();
      assert.equal(readFileSync(made, 'utf8'), 'got hello\n');
    });

    it('queues what is said while a turn runs, and sends it afterwards', async () => {
      const made = file('queued');
      await begin('run read word');
      await press(card(), 'Run once');
      await card().waitFor({ state: 'detached' });
      await send(`run touch ${made}`);
      await view().locator('.queue-item', { hasText: made }).waitFor();
      await shell().typeIntoTerminal('go on');
      await press(card(), 'Run once');
      await view().locator('.queue-item').waitFor({ state: 'detached' });
      await idle();
      assert.ok(existsSync(made));
    });

    it('sends what was said while the connection was cut, once, and shows what it showed', async () => {
      const { chat } = await begin('help');
      await view().getByText('There is no model behind me').first().waitFor();
      await idle();
      await shell().cut();
      await send('stream 1');
      await shell().restore();
      await view().getByRole('heading', { name: 'Section 1 of 1' }).waitFor();
      await idle();
      assert.deepEqual(saidIn(chat.confirmed), ['help', 'stream 1']);
      assert.equal(await saidByUser('stream 1').count(), 1);
      assert.equal(await view().getByText('There is no model behind me').count(), 1);
    });

    it('takes a card away that somebody else has answered, and does what they said', async () => {
      const made = file('stale');
      const { chat } = await begin(`run touch ${made}`);
      await card().waitFor();
      await denyElsewhere(chat, 'said elsewhere');
      await card().waitFor({ state: 'detached' });
      await view().locator('.transcript').getByText('said elsewhere').first().waitFor();
      await idle();
      assert.equal(existsSync(made), false);
    });

    it('tries a turn again from its message, in place of its answer', async () => {
      const { chat } = await begin('stream 1');
      await view().getByRole('heading', { name: 'Section 1 of 1' }).waitFor();
      await idle();
      await send('help');
      await view().getByText('There is no model behind me').first().waitFor();
      await idle();
      const before = chat.confirmed?.turns.at(-1)?.id;
      await saidByUser('help').getByRole('button', { name: 'Try again from this message' }).press('Enter');
      // Between both its turn is gone.
      await until('the answer anew', chat.onDidChange, () => ![undefined, before].includes(chat.confirmed?.turns[1]?.id));
      assert.deepEqual(saidIn(chat.confirmed), ['stream 1', 'help']);
      await view().getByText('There is no model behind me').first().waitFor();
      assert.equal(await saidByUser('help').count(), 1);
    });
  });

  describe('the page “Needs You”', () => {
    /** Its card, of a session that is not shown. */
    async function waiting(text: string) {
      const session = await opened();
      await say(session.chat, text);
      const inbox = await shell().inbox();
      const item = inbox.locator('.inbox-item', { hasText: session.title });
      await item.locator('.waiting-card').waitFor();
      return { ...session, item };
    }

    it('applies an edit only once all of its difference was in view', async () => {
      const name = `notes-${randomUUID()}.md`;
      const { item, chat } = await waiting(`edit ${name} ${LONG}`);
      await pressUntilSeen(item, 'Apply the edit', () => assert.equal(existsSync(file(name)), false));
      await until('the end of the turn', chat.onDidChange, () => chat.confirmed && !chat.confirmed.activeTurn);
      assert.ok(readFileSync(file(name), 'utf8').includes(LONG));
    });

    it('denies with a reason', async () => {
      const made = file('denied');
      const { item, chat } = await waiting(`run touch ${made}`);
      await denyWithReason(item, 'not from here');
      await item.waitFor({ state: 'detached' });
      await until('the end of the turn', chat.onDidChange, () => chat.confirmed && !chat.confirmed.activeTurn);
      assert.match(JSON.stringify(chat.confirmed?.turns.at(-1)), /not from here/);
      assert.equal(existsSync(made), false);
    });

    it('takes a card away that somebody else has answered', async () => {
      const made = file('stale');
      const { item, chat } = await waiting(`run touch ${made}`);
      await denyElsewhere(chat, 'said elsewhere');
      await item.waitFor({ state: 'detached' });
      assert.equal(existsSync(made), false);
    });
  });
}

/** By the keyboard, once it counts. */
async function press(within: Locator, name: string): Promise<void> {
  await within.locator('vscode-button:not([aria-disabled])', { hasText: name }).first().waitFor();
  await within.getByRole('button', { name, exact: true }).press('Enter');
}

/** Until it answers: what was not in view is shown first. `stillAsked` is called when that was said. */
async function pressUntilSeen(card: Locator, name: string, stillAsked: () => void): Promise<void> {
  await card.locator('.card-buttons:not([aria-disabled])').waitFor();
  await card.getByRole('button', { name, exact: true }).press('Enter');
  await card.getByRole('alert').getByText('not all of this has been in view').waitFor();
  stillAsked();
  await pressUntil(card, name, card, 'detached');
}

/** As somebody does it who looks at what a press has shown before the next one, until there is the sign. */
async function pressUntil(card: Locator, name: string, sign: Locator, state: 'visible' | 'detached' = 'visible'): Promise<void> {
  for (let times = 0; times < MAX_PRESSES; times++) {
    // It may be gone by now.
    await card
      .getByRole('button', { name, exact: true })
      .press('Enter', { timeout: LOOK_MS })
      .then(...CAME);
    if (
      await sign
        .first()
        .waitFor({ state, timeout: LOOK_MS })
        .then(...CAME)
    )
      return;
  }
  throw new Error(`“${name}” was pressed ${MAX_PRESSES} times`);
}

function saidIn(chat: ChatState | undefined): string[] {
  return [...(chat?.turns ?? []), ...(chat?.activeTurn ? [chat.activeTurn] : [])].map(({ message }) => message.text);
}

async function denyElsewhere(chat: ChatModel, reason: string): Promise<void> {
  const waiting = await until('the call', chat.onDidChange, () => {
    const { activeTurn } = chat.confirmed ?? {};
    const part = activeTurn?.responseParts.find((one) => one.kind === 'toolCall');
    return activeTurn && part?.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation'
      ? { turnId: activeTurn.id, toolCallId: part.toolCall.toolCallId }
      : undefined;
  });
  assert.equal((await chat.deny(waiting, { reason }).settled).kind, 'confirmed');
}

function helpers(shell: () => PageShellOfCases) {
  const models: { dispose(): void }[] = [];
  afterEach(() => {
    for (const model of models.splice(0)) model.dispose();
  });
  return {
    /** A session of its own with the demo agent, which somebody else has made. */
    async opened(): Promise<{ uri: string; title: string; chat: ChatModel }> {
      const { other, folder } = shell();
      const id = randomUUID();
      const [uri, title] = [`demo:/${id}`, `Case ${id}`];
      await other.command('createSession', { channel: uri, provider: 'demo', workingDirectories: [pathToFileURL(folder).href] });
      const session = other.session(uri);
      models.push(session);
      const { defaultChat = '' } = await whenLive(session);
      assert.equal((await session.rename(title).settled).kind, 'confirmed');
      const chat = other.chat(defaultChat);
      models.push(chat);
      await whenLive(chat);
      return { uri, title, chat };
    },
    async say(chat: ChatModel, text: string): Promise<void> {
      assert.equal((await chat.send(text).settled).kind, 'confirmed');
    },
    /** A path that no other case has. */
    file: (name: string) => join(shell().folder, name.includes('.') ? name : `${name}-${randomUUID()}`),
  };
}
