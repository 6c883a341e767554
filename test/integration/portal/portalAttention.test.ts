/** What waits for a person, over HTTP: the list, its events, and answers to exactly what was listed. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { whenLive } from '../../../src/ahp/index.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { AgentTurn, ConfirmationResult, InputResponse } from '../../../src/host/agents/agent.ts';
import { type AttentionEntry, MAX_ITEM_LENGTH } from '../../../src/portal/attention/portalAttention.ts';
import { MAX_STREAMS } from '../../../src/portal/http/attentionHandlers.ts';
import { until } from '../../support/until.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { gate } from '../host/hostHarness.ts';
import { eventsOf } from './eventsOf.ts';
import { type Json, TestPortal } from './portalHarness.ts';

const options = [
  { id: 'once', label: 'Run once', kind: 'approve' as const },
  { id: 'always', label: 'Always', kind: 'approve' as const },
  { id: 'no', label: 'Deny', kind: 'deny' as const },
];

for (const dialect of ['v1', 'channels'] as const)
  describe(`what waits at the portal, over ${dialect}`, function () {
    this.timeout(60_000);
    let test: TestPortal;
    let other: V1Client;
    let sessions = 0;
    /** What the agent got, in order. */
    const decisions: (ConfirmationResult | InputResponse | { approved: boolean })[] = [];
    const didDecide = new Emitter<void>();
    const deciding = () => until('a decision', didDecide.event, () => decisions.shift());
    const decided = (decision: (typeof decisions)[number]) => (decisions.push(decision), didDecide.fire());

    before(async () => {
      test = await TestPortal.start({ dialects: [dialect] });
      other = await test.v1Client();
      test.agent.onTurn = async (turn, host) => {
        const [, what = '', rest = ''] = /^(\w+) ?([^]*)$/.exec(turn.message.text) ?? [];
        if (what === 'fail') throw new Error('on purpose');
        if (what === 'result') {
          const call = turn.toolCall({ toolName: 'read', displayName: 'Read' });
          const ready = { invocationMessage: 'Reading', toolInput: '{"path":"a"}' };
          await call.check(ready);
          call.run(ready, 'not-needed');
          decided(
            await call.completeWithResultConfirmation({ success: true, pastTenseMessage: 'Read', content: [{ type: 'text', text: rest }] }),
          );
        } else if (what === 'ask') {
          decided(
            await turn.ask({
              message: 'Tell me',
              questions: [
                { kind: 'text', id: 'name', message: 'Name?', required: true, min: 2 },
                { kind: 'single-select', id: 'db', message: 'Which?', options: [{ id: 'a', label: 'A' }] },
              ],
            }),
          );
        } else if (what === 'below') {
          const call = turn.toolCall({ toolName: 'agent', displayName: 'Agent' });
          const ready = { invocationMessage: 'Working', toolInput: 'x' };
          await call.check(ready);
          call.run(ready, 'not-needed');
          const subagent = host.startSubagent({ toolCallId: call.id, title: 'Below', prompt: 'x' });
          call.setContent([{ type: 'subagent', resource: subagent.chat, title: 'Below' }]);
          decided(await runCall(subagent, rest));
          subagent.complete();
          call.complete({ success: true, pastTenseMessage: 'Worked' });
        } else decided(await runCall(turn, rest));
      };
    });
    after(async () => {
      other.close();
      await test.close();
    });

    async function runCall(turn: Pick<AgentTurn, 'toolCall'>, toolInput: string) {
      const call = turn.toolCall({ toolName: 'bash', displayName: 'Run command', _meta: { toolKind: 'terminal' } });
      const decision = await call.confirm({ invocationMessage: 'Running', confirmationTitle: 'Run this?', toolInput, options });
      if (decision.approved) call.complete({ success: true, pastTenseMessage: 'Ran' });
      return decision;
    }

    /** A turn in a session of another client. */
    async function say(text: string): Promise<string> {
      const session = `scripted:/of-another-${++sessions}`;
      await other.request('createSession', { session, provider: 'scripted', workingDirectory: pathToFileURL(test.folder).href });
      await whenLive(other.subscribeSession(session));
      const action = { type: 'session/turnStarted' as const, session, turnId: 't', userMessage: { text } };
      assert.deepEqual(await other.dispatch(session, action).settled, { kind: 'confirmed' });
      return session;
    }
    const waiting = (session: string) =>
      until('something that waits', test.portal.attention.onDidChange, () =>
        test.portal.attention.list().items.find((one) => one.session?.startsWith(session) && !['unknown'].includes(one.kind)),
      );
    const ask = async (text: string) => waiting(await say(text));
    const list = async () => (await test.call('attention')) as unknown as { items: AttentionEntry[]; isComplete: boolean };
    const post = (id: string, body: string, headers: Record<string, string> = {}) =>
      test.fetch(`/api/attention/${id}`, body, { ...test.authorized, 'Content-Type': 'application/json', ...headers });
    async function answer({ id, revision }: Pick<AttentionEntry, 'id' | 'revision'>, decision: Json): Promise<Json> {
      const response = await post(id, JSON.stringify({ revision, ...decision }));
      assert.equal(response.status, 200);
      return (await response.json()) as Json;
    }

    it('is listed with the exact text, also of sessions that the portal did not start, and runs only once it is approved', async () => {
      assert.deepEqual(await list(), { items: [], isComplete: true });
      const input = 'rm -rf a \\ \n\u202e\u200bb';
      const session = await say(`call ${input}`);
      await waiting(session);
      const { items } = await list();
      const [{ id, revision, since, ...item } = assert.fail(), ...more] = items;
      assert.equal(more.length, 0);
      assert.match(id, /^[0-9a-f]{32}$/);
      assert.match(revision, /^[0-9a-f]{32}$/);
      assert.ok(Math.abs(since - Date.now()) < 60_000);
      assert.deepEqual(item.call, {
        ...{ toolName: 'bash', displayName: 'Run command', toolKind: 'terminal', message: 'Running', input, title: 'Run this?', files: [] },
      });
      assert.deepEqual([item.kind, item.session, item.decisions], ['call', session, ['approve', 'deny']]);
      assert.deepEqual(item.options, [
        { decision: 'approve', option: 'once', label: 'Run once' },
        { decision: 'approve', option: 'always', label: 'Always' },
        { decision: 'deny', option: 'no', label: 'Deny' },
      ]);
      assert.deepEqual((await list()).items, items, 'the same as long as it waits');
      assert.deepEqual(await answer({ id, revision }, { decision: 'approve' }), { result: 'Answered' });
      const decision = (await deciding()) as Extract<ConfirmationResult, { approved: true }>;
      assert.deepEqual([decision.approved, decision.toolInput, decision.option?.id], [true, input, 'once']);
      assert.deepEqual(await answer({ id, revision }, { decision: 'approve' }), { error: 'AttentionNotFound' });
      assert.deepEqual(await list(), { items: [], isComplete: true });
    });

    it('is denied with a reason, or with an option of the host', async () => {
      const first = await ask('call ls');
      assert.deepEqual(await answer(first, { decision: 'deny', reason: 'not now' }), { result: 'Answered' });
      const denied = (await deciding()) as Extract<ConfirmationResult, { approved: false }>;
      assert.deepEqual([denied.approved, denied.message], [false, 'not now']);
      const second = await ask('call ls');
      assert.notEqual(second.id, first.id);
      for (const impossible of [
        { decision: 'approve', option: 'no' },
        { decision: 'deny', option: 'once' },
        { decision: 'approve', option: 'x' },
        { decision: 'accept' },
        { decision: 'markRead' },
      ])
        assert.deepEqual(await answer(second, impossible), { error: 'DecisionNotPossible' }, JSON.stringify(impossible));
      assert.deepEqual(await answer(second, { decision: 'approve', option: 'always' }), { result: 'Answered' });
      assert.equal(((await deciding()) as { option?: { id: string } }).option?.id, 'always');
    });

    it('is answered by one of two who answer at once', async () => {
      const one = await ask('call ls');
      const answers = await Promise.all([answer(one, { decision: 'approve' }), answer(one, { decision: 'deny' })]);
      assert.deepEqual(answers.map((given) => given['result'] ?? given['error']).sort(), ['Answered', 'AttentionNotFound']);
      await deciding();
    });

    it('takes no answer to what it is not, and nothing happens', async () => {
      const one = await ask('call ls');
      assert.deepEqual(await answer({ ...one, revision: '0'.repeat(32) }, { decision: 'approve' }), { error: 'AttentionChanged' });
      assert.deepEqual(await answer({ ...one, id: 'x' }, { decision: 'approve' }), { error: 'AttentionNotFound' });
      const session = one.session ?? assert.fail();
      assert.deepEqual(await other.dispatch(session, { type: 'session/titleChanged', session, title: 'Harmless' }).settled, {
        kind: 'confirmed',
      });
      await until('the title', test.portal.attention.onDidChange, () => test.portal.attention.list().items[0]?.title === 'Harmless');
      assert.deepEqual(await answer(one, { decision: 'approve' }), { error: 'AttentionChanged' });
      const again = await waiting(session);
      assert.equal(again.id, one.id);
      assert.deepEqual(decisions, []);
      assert.deepEqual(await answer(again, { decision: 'deny' }), { result: 'Answered' });
      await deciding();
    });

    it('takes no approval for what a call asks when the approval is on its way', async () => {
      const askedAgain = gate();
      const { onTurn } = test.agent;
      test.agent.onTurn = async (turn) => {
        const question = { invocationMessage: 'Running', confirmationTitle: 'Run this?' };
        const call = turn.toolCall({ toolName: 'bash', displayName: 'Run command' });
        await call.confirm({ ...question, toolInput: 'harmless' });
        const again = call.confirm({ ...question, toolInput: 'rm' });
        askedAgain.open();
        decided(await again);
      };
      const one = await ask('call');
      test.agent.onTurn = onTurn;
      const session = one.session ?? assert.fail();
      // The answer is on its way at once only where the portal has the state.
      const read = test.client.chat(one.chat ?? session);
      await whenLive(read);
      const { activeTurn } = await whenLive(other.subscribeSession(session));
      const [part] = activeTurn?.responseParts ?? [];
      const { toolCallId } = (part as { toolCall: { toolCallId: string } }).toolCall;
      const approval = { type: 'session/toolCallConfirmed' as const, session, turnId: 't', toolCallId };
      other.dispatch(session, { ...approval, approved: true, confirmed: 'user-action' });
      await askedAgain.promise;
      // The host, in this process, has just asked the second question. No frame of that can have come to the portal yet.
      const outcome = await test.portal.attention.answer(one.id, one.revision, { decision: 'approve' });
      assert.deepEqual(outcome, { error: 'AnswerRefused', message: 'the tool call asks something else now' });
      assert.deepEqual(decisions, []);
      const next = await until('the other question', test.portal.attention.onDidChange, () =>
        test.portal.attention.list().items.find(({ call }) => call?.input === 'rm'),
      );
      assert.notEqual(next.id, one.id);
      assert.deepEqual(await answer(one, { decision: 'approve' }), { error: 'AttentionNotFound' });
      other.dispatch(session, { type: 'session/turnCancelled', session, turnId: 't' });
      await until('the end', test.portal.attention.onDidChange, () => test.portal.attention.list().items.length === 0);
      read.dispose();
    });

    it('is found in subagents', async () => {
      const one = await ask('below ls');
      // Over channels a subagent has a chat of its own in the session.
      const [below, top] = dialect === 'v1' ? [one.session, one.topSession] : [one.chat, one.session];
      assert.match(top ?? '', /^scripted:\/of-another-\d+$/);
      assert.ok(below !== undefined && below !== top);
      assert.deepEqual(await answer(one, { decision: 'approve' }), { result: 'Answered' });
      assert.equal(((await deciding()) as ConfirmationResult).approved, true);
    });

    it('is a result that the model gets only when somebody lets it', async () => {
      const one = await ask('result secret\u200b');
      assert.deepEqual([one.kind, one.result?.content, one.decisions], ['result', ['secret\u200b'], ['approve', 'deny']]);
      assert.deepEqual(await answer(one, { decision: 'deny', reason: 'x' }), { error: 'DecisionNotPossible' });
      assert.deepEqual(await answer(one, { decision: 'deny' }), { result: 'Answered' });
      assert.deepEqual(await deciding(), { approved: false });
    });

    it('is a question, whose answers are checked', async () => {
      const one = await ask('ask');
      assert.deepEqual(
        one.question?.questions.map(({ id, kind, required }) => [id, kind, required]),
        [
          ['name', 'text', true],
          ['db', 'single-select', false],
        ],
      );
      const problems = async (answers: Json) =>
        Object.keys((await answer(one, { decision: 'accept', answers }))['problems'] as object).sort();
      assert.deepEqual(await problems({}), ['name']);
      assert.deepEqual(await problems({ name: 'x' }), ['name']);
      assert.deepEqual(await problems({ name: 1, db: 'b', z: '' }), ['db', 'name', 'z']);
      assert.deepEqual(await answer(one, { decision: 'accept', answers: { name: 'Ada', db: 'a' } }), { result: 'Answered' });
      const response = (await deciding()) as Extract<InputResponse, { response: 'accept' }>;
      assert.deepEqual(response.answers['name'], { state: 'submitted', value: { kind: 'text', value: 'Ada' } });
      assert.deepEqual(await answer(await ask('ask'), { decision: 'decline' }), { result: 'Answered' });
      assert.equal(((await deciding()) as InputResponse).response, 'decline');
    });

    it('is a turn that has failed, until somebody has seen it', async () => {
      const one = await ask('fail');
      assert.deepEqual([one.kind, one.decisions], ['failed', ['markRead']]);
      assert.deepEqual(await answer(one, { decision: 'markRead' }), { result: 'Answered' });
      await until('nothing', test.portal.attention.onDidChange, () => test.portal.attention.list().items.length === 0);
    });

    it('cannot be allowed where not all of it is listed', async () => {
      const one = await ask(`call ${'x'.repeat(MAX_ITEM_LENGTH)}`);
      assert.deepEqual([one.isPartial, one.call, one.decisions], [true, undefined, ['deny']]);
      assert.deepEqual(await answer(one, { decision: 'approve' }), { error: 'DecisionNotPossible' });
      assert.deepEqual(await answer(one, { decision: 'deny' }), { result: 'Answered' });
      await deciding();
    });

    it('refuses answers that are none, or that come from a page of another site', async () => {
      const one = await ask('call ls');
      const good = JSON.stringify({ revision: one.revision, decision: 'approve' });
      const status = async (response: Promise<Response>) => (await response).status;
      for (const body of [
        '',
        '{',
        '[]',
        '{"decision":"approve"}',
        JSON.stringify({ revision: one.revision }),
        JSON.stringify({ revision: one.revision, decision: 'yes' }),
        JSON.stringify({ revision: one.revision, decision: 'approve', more: 1 }),
        JSON.stringify({ revision: one.revision, decision: 'approve', reason: 'x' }),
        JSON.stringify({ revision: 1, decision: 'approve' }),
        JSON.stringify({ revision: one.revision, decision: 'accept', answers: { a: {} } }),
      ])
        assert.equal(await status(post(one.id, body)), 400, body);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
        assert.equal(await status(post(one.id, good, { 'Content-Type': type })), 400, type);
      assert.equal(await status(post(`${one.id}?x=1`, good)), 400);
      assert.equal(await status(post(one.id, good, { Origin: 'https://example.com' })), 403);
      assert.equal(await status(post(one.id, good, { Origin: 'null' })), 403);
      for (const site of ['cross-site', 'same-site'])
        for (const mode of ['cors', 'navigate'])
          assert.equal(await status(post(one.id, good, { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': mode })), 403);
      assert.equal(await status(post(one.id, good, { Authorization: 'Bearer x' })), 401);
      assert.equal(await status(test.fetch(`/api/attention/${one.id}`)), 405);
      const put = fetch(`${test.server.url}/api/attention/${one.id}`, { method: 'PUT', body: good, headers: test.authorized });
      assert.equal(await status(put), 405);
      for (const path of ['attention', 'attention/events']) {
        assert.equal(await status(test.fetch(`/api/${path}`, undefined, {})), 401, path);
        assert.equal(await status(test.fetch(`/api/${path}?x=1`)), 400, path);
        assert.equal(await status(test.fetch(`/api/${path}`, undefined, { ...test.authorized, Origin: 'https://example.com' })), 403, path);
      }
      assert.deepEqual(
        (await list()).items.map(({ revision }) => revision),
        [one.revision],
      );
      assert.deepEqual(decisions, []);
      assert.deepEqual(await answer(one, { decision: 'deny' }), { result: 'Answered' });
      await deciding();
    });

    describe('as events', () => {
      it('comes at once, and again whenever it is another, while calls come and go', async () => {
        const gone = new AbortController();
        const events = eventsOf(await fetch(`${test.server.url}/api/attention/events`, { headers: test.authorized, signal: gone.signal }));
        const inputs = async () => {
          const { value } = await events.next();
          const { items, isComplete } = JSON.parse(value ?? '{}') as { items: AttentionEntry[]; isComplete: boolean };
          assert.equal(isComplete, true);
          return items;
        };
        assert.deepEqual(await inputs(), []);
        const turns = Array.from({ length: 10 }, (_, index) => `call echo ${index}`);
        for (const turn of turns) await say(turn);
        const answered = new Set<string>();
        for (;;) {
          const items = await inputs();
          assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
          for (const item of items) {
            if (item.kind !== 'call' || answered.has(item.id)) continue;
            answered.add(item.id);
            assert.deepEqual(await answer(item, { decision: 'approve' }), { result: 'Answered' });
          }
          if (items.length === 0 && answered.size === turns.length) break;
        }
        const ran = decisions.splice(0) as Extract<ConfirmationResult, { approved: true }>[];
        assert.deepEqual(ran.map(({ toolInput }) => `call ${toolInput}`).sort(), turns);
        gone.abort();
      });

      it('is bounded in streams, and forgets those whose reader has gone', async () => {
        const readers: AbortController[] = [];
        // A response that nobody holds may be collected, which ends its stream.
        const held: Response[] = [];
        const open = async () => {
          const gone = new AbortController();
          readers.push(gone);
          const response = await fetch(`${test.server.url}/api/attention/events`, { headers: test.authorized, signal: gone.signal });
          held.push(response);
          return response;
        };
        let last = await open();
        for (; last.headers.get('content-type')?.startsWith('text/event-stream'); last = await open())
          assert.ok(readers.length <= MAX_STREAMS + 5, 'bounded');
        assert.deepEqual(await last.json(), { error: 'TooManyStreams' });
        for (const gone of readers) gone.abort();
        while (!(await open()).headers.get('content-type')?.startsWith('text/event-stream')) continue;
        for (const gone of readers) gone.abort();
      });

      it('gives a reader that was slow what it has missed, up to the newest list', async () => {
        const socket = connect(test.server.port, '127.0.0.1');
        const headers = [`Host: 127.0.0.1:${test.server.port}`, `Authorization: ${test.authorized['Authorization']}`];
        socket.write(`GET /api/attention/events HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
        await new Promise((resolve) => socket.once('readable', resolve));
        socket.pause();
        const big = 'y'.repeat(MAX_ITEM_LENGTH - 2000);
        for (let index = 0; index < 5; index++) {
          assert.deepEqual(await answer(await ask(`call ${index} ${big}`), { decision: 'deny' }), { result: 'Answered' });
          await deciding();
        }
        const end = await ask('call the end');
        await new Promise<void>((resolve) => {
          let text = '';
          socket.on('data', (chunk) => {
            text += String(chunk);
            if (text.includes('the end')) resolve();
          });
          socket.resume();
        });
        socket.destroy();
        await answer(end, { decision: 'deny' });
        await deciding();
      });

      it('ends when the portal does', async () => {
        const ending = await TestPortal.start();
        const streams = [1, 2].map(async () =>
          eventsOf(await fetch(`${ending.server.url}/api/attention/events`, { headers: ending.authorized })),
        );
        const events = await Promise.all(streams);
        for (const one of events) assert.equal((await one.next()).done, false);
        await ending.close();
        for (const one of events) assert.deepEqual(await one.next(), { done: true, value: undefined });
      });
    });
  });
