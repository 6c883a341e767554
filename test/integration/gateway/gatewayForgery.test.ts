/**
 * Authenticated peers that try to use tokens, ids, sessions and files of others, or expensive patterns. Each runs next to a well-behaved
 * provider.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { slowPattern, slowText } from '../../fakes/slowPattern.ts';
import { besides, ControlledGateway } from './gatewayControl.ts';
import type { RawProvider } from './gatewayHarness.ts';

const hello = (fields: object = {}) => ({ type: 'hello', name: 'provider', protocolVersion: 2, session: 'a', ...fields });

describe('gateway and authenticated peers that attack', () => {
  let test: ControlledGateway;
  beforeEach(async () => {
    test = new ControlledGateway();
    await test.start();
  });
  afterEach(() => test.stop());
  const alike = (title: string, body: () => Promise<void>, timeoutMs?: number) => besides(() => test, title, body, timeoutMs);
  const from = (origin: string | undefined) => test.peer(origin === undefined ? {} : { headers: { Origin: origin } });
  /** The code of the error, or `sessions`. */
  const shown = async (message: object, origin?: string) => {
    const peer = await from(origin);
    peer.say({ type: 'auth', ...message });
    await peer.any('sessions', 'error');
    const [answer] = peer.heard;
    if (answer?.type !== 'error') return 'sessions';
    assert.equal(await peer.closed(), 4001);
    return answer.code;
  };
  const paired = async (origin: string) => {
    const peer = await from(origin);
    peer.say({ type: 'auth', mode: 'pair' });
    await peer.next('auth.pairing');
    const { code } = await test.owner0.next('pairing/started', (pairing) => pairing.origin === origin);
    peer.say({ type: 'auth.confirm', code });
    const { token = '' } = await peer.next('sessions');
    return { peer, token };
  };

  alike('accepts a paired token only from the origin that was paired', async () => {
    const page = 'http://page.example';
    const { token } = await paired(page);
    for (const origin of [undefined, 'null', 'file://', 'http://evil.example', 'https://page.example', `http://localhost:${test.port}`])
      assert.equal(await shown({ token }, origin), 'AUTH_FAILED', origin);
    assert.equal(await shown({ token }, page), 'sessions');
    for (const other of [token.slice(0, -1), `${token}x`, token.toUpperCase(), '', token.replace('ext', 'ptk')])
      assert.equal(await shown({ token: other }, page), 'AUTH_FAILED');
  });

  alike('accepts a pairing code only on the connection that asked, and once', async () => {
    const { token } = await paired('http://one.example');
    const used = (await test.owner0.next('pairing/started')).code;
    const second = await from('http://two.example');
    second.say({ type: 'auth', mode: 'pair' });
    const { code } = await test.owner0.next('pairing/started', ({ origin }) => origin === 'http://two.example');
    const third = await from('http://three.example');
    third.say({ type: 'auth', mode: 'pair' });
    await test.owner0.next('pairing/started', ({ origin }) => origin === 'http://three.example');
    for (const guess of [code, used, ''].filter((guess, at) => at === 2 || guess !== test.owner0.last('pairing/started').code))
      third.say({ type: 'auth.confirm', code: guess });
    assert.equal((await third.next('error')).code, 'AUTH_FAILED');
    second.say({ type: 'auth.confirm', code });
    assert.notEqual((await second.next('sessions')).token, token);
  });

  alike('accepts a reconnect token once, and only from its owner', async () => {
    const first = await test.authenticated();
    first.say(hello({ name: 'r', instance: 'i' }));
    const { reconnectToken, providerId } = await first.next('hello.ack');
    const auth = { reconnectToken, name: 'r', instance: 'i' };
    for (const [wrong, origin] of [
      [auth, 'http://evil.example'],
      [{ ...auth, name: 'other' }, undefined],
      [{ ...auth, instance: 'j' }, undefined],
      [{ reconnectToken }, undefined],
      [{ ...auth, reconnectToken: `${reconnectToken}x` }, undefined],
    ] as const)
      assert.equal(await shown(wrong, origin), 'AUTH_FAILED', JSON.stringify(wrong));
    const stranger = await paired('http://page.example');
    stranger.peer.say(hello({ name: 'r', instance: 'i', reconnectToken }));
    assert.notEqual((await stranger.peer.next('hello.ack')).providerId, providerId, 'of another trust: somebody else');
    assert.equal(first.closeCode, undefined);
    first.dispose();
    await first.closed();
    const second = await test.peer();
    second.say({ type: 'auth', ...auth });
    await second.next('sessions');
    second.say(hello({ name: 'r', instance: 'i', session: undefined }));
    assert.equal((await second.next('hello.ack')).providerId, providerId);
    assert.equal(await shown(auth), 'AUTH_FAILED', 'replayed');
  });

  alike('accepts no token of a session that has ended or of another session', async () => {
    const session = await test.owner0.session('b');
    const token = await session.issueToken();
    const peer = await test.authenticated(token);
    peer.say(hello());
    assert.equal((await peer.next('error')).code, 'INVALID_SESSION', 'session a is not its own');
    peer.say(hello({ session: 'b' }));
    await peer.next('hello.ack');
    const page = await paired('http://page.example');
    page.peer.say(hello({ session: 'b', name: 'page' }));
    await page.peer.next('hello.ack');
    page.peer.dispose();
    await page.peer.closed();
    const ended = session.end(0);
    await ended;
    for (const [gone, origin] of [
      [token, undefined],
      [page.token, 'http://page.example'],
    ] as const)
      assert.equal(await shown({ token: gone }, origin), 'AUTH_FAILED');
    assert.equal(await shown({ token: await test.session.issueToken() }), 'sessions');
  });

  alike('lets no peer answer the calls of another', async () => {
    const victim = await test.authenticated(await test.session.issueToken());
    const rules = { onPreToolUse: [{ match: { tool: 'shell' }, action: 'gate', gateId: 'g' }], transforms: { s: { action: 'callback' } } };
    victim.say(hello({ name: 'victim', tools: [{ name: 'secret' }], hooks: rules }));
    await test.owner0.tools('a', ['echo', 'secret']);
    const thief = await test.bound({ name: 'thief', session: 'a', tools: [{ name: 'bait' }] });
    await test.owner0.tools('a', ['echo', 'secret', 'bait']);
    const call = test.session.call('secret', {});
    const { id } = await victim.next('tool.call');
    const decision = test.session.evaluateHooks('shell', {});
    const gate = await victim.next('gate.check');
    const parts = test.session.evaluateTransforms({ s: 'base' });
    const transform = await victim.next('transform.request');
    const forge = (peer: RawProvider, value: string) =>
      peer
        .say({ type: 'tool.progress', id, message: value })
        .say({ type: 'gate.result', gateId: 'g', callId: gate.callId, decision: value === 'forged' ? 'allow' : 'deny', reason: value })
        .say({ type: 'transform.result', callId: transform.callId, content: value })
        .say({ type: 'tool.result', id, data: value });
    // The ids were issued, and it does not matter who answers them: the answers are late.
    forge(thief, 'forged');
    thief.say({ type: 'stream.query', queryId: 'q', streams: ['s'] });
    await thief.next('stream.history');
    forge(victim, 'true');
    assert.deepEqual(await call, { ok: true, data: 'true' });
    assert.deepEqual([(await decision).decision, (await parts).sections[0]?.content], ['deny', 'true']);
    assert.deepEqual(
      test.owner0.events.flatMap(({ event, params }) => (event === 'tool/progress' ? [(params as { message: string }).message] : [])),
      ['true'],
    );
    const bait = test.session.call('bait', {});
    await thief.next('tool.call');
    thief.say({ type: 'tool.result', id, data: 'forged' });
    // An id that was never issued may be meant for the peer's own pending call.
    thief.say({ type: 'tool.result', id: `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, data: 'made up' });
    const failed = await bait;
    assert.ok(!failed.ok && failed.errorCode === 'INVALID_JSON');
    assert.deepEqual(
      thief.heard.flatMap((message) => (message.type === 'error' ? [message.replyTo] : [])),
      ['tool.result'],
    );
  });

  alike('lets no peer act in a session that is not its own', async () => {
    const other = await test.owner0.session('b');
    const peer = await test.authenticated(await test.session.issueToken());
    peer.say(hello({ tools: [{ name: 'mine' }] }));
    await peer.next('hello.ack');
    for (const sessionId of ['b', 'nowhere', '__proto__', 'all', '*', ' a', 'A']) {
      for (const message of [
        { type: 'push', level: 'inject', event: 'forged' },
        { type: 'push', level: 'keep', event: 'forged', stream: 's' },
        { type: 'tools.update', tools: [{ name: 'forged' }] },
        { type: 'hooks.update', onPreToolUse: [{ action: 'deny' }] },
        { type: 'context.update', context: 'forged' },
        { type: 'filter.set', rules: [{ match: '.', outcome: 'inject' }] },
        { type: 'stream.query', queryId: 'q', streams: ['provider'] },
        { type: 'session.ready' },
        { type: 'shutdown.ready' },
      ]) {
        peer.say({ ...message, sessionId });
        const error = await peer.next('error');
        assert.deepEqual([error.code, error.replyTo, error.sessionId], ['INVALID_SESSION', message.type, sessionId]);
      }
    }
    assert.deepEqual(await other.streams(), []);
    assert.equal((await other.evaluateHooks('x', {})).decision, 'allow');
    assert.deepEqual((await test.session.evaluateTransforms({})).context, []);
    peer.say({ type: 'push', level: 'surface', event: 'own', sessionId: 'a' });
    assert.equal((await test.owner0.next('push/surfaced')).event, 'own');
  });

  alike('holds a peer to its limits under any names, on one connection and on several', async () => {
    const injects = () =>
      test.owner0.events.filter(({ event }) => event === 'push/inject').map(({ params }) => (params as { text: string }).text);
    const { token } = test.server.gateway.grants.issuePairedToken(undefined);
    let peer = await test.authenticated(token);
    const other = await test.bound({ name: 'other', session: 'a' });
    const inject = async (from: RawProvider, event: string) => {
      from.say({ type: 'push', level: 'inject', event });
      const surfaced = await test.owner0.next('push/surfaced', (push) => push.event === event);
      if (!surfaced.paused) await test.owner0.next('push/inject', ({ text }) => text === event);
      await test.session.update({ idle: true });
    };
    for (let at = 0; at < 6; at++) {
      if (at % 2) peer = await test.authenticated(token);
      peer.say(hello({ name: `name${at}` }));
      await peer.next('hello.ack');
      await inject(peer, `mine ${at}`);
    }
    assert.deepEqual(injects(), ['mine 0', 'mine 1', 'mine 2']);
    await inject(other, 'of another');
    assert.equal(injects().at(-1), 'of another');
    for (let at = 0; at < 60; at++) peer.say({ type: 'push', level: 'keep', event: 'x'.repeat(100_000), stream: `s${at % 25}` });
    peer.say({ type: 'stream.query', queryId: 'q', streams: ['s0'] });
    await peer.next('stream.history');
    const codes = new Set(peer.heard.flatMap((message) => (message.type === 'error' ? [message.code] : [])));
    assert.deepEqual([...codes], ['RATE_LIMITED']);
  });

  alike(
    'is not stalled by patterns: in hooks, filters and schemas',
    async () => {
      const peer = await test.authenticated(await test.session.issueToken());
      const patterns = ['(a+)+$', '(a|a)*$', '(.*.*.*.*)*b', slowPattern, '(?:a?){300}a{300}$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$'];
      const rules = Array.from({ length: 50 }, (_, at) => patterns[at % patterns.length]!);
      peer.say(
        hello({
          tools: [
            {
              name: 'strict',
              parameters: { type: 'object', properties: Object.fromEntries(patterns.map((pattern, at) => [`p${at}`, { pattern }])) },
            },
          ],
          hooks: { onPreToolUse: rules.map((args) => ({ match: { args }, action: 'context', content: 'x' })) },
        }),
      );
      await peer.next('hello.ack');
      await test.owner0.tools('a', ['echo', 'strict']);
      peer.say({ type: 'filter.set', requestId: 'f', rules: rules.map((match) => ({ match, outcome: 'drop' })) });
      await peer.next('ack');
      const text = `${'a'.repeat(200_000)}!${slowText}`;
      assert.equal((await test.session.evaluateHooks('shell', { text })).decision, 'allow');
      await test.serves();
      for (let at = 0; at < 10; at++) peer.say({ type: 'push', level: 'keep', event: text });
      await test.serves();
      const refused = await test.session.call('strict', Object.fromEntries(patterns.map((_, at) => [`p${at}`, text])));
      assert.ok(!refused.ok && refused.errorCode === 'INVALID_ARGUMENTS');
      await test.serves();
      for (const match of [
        '(a{1000}){1000}',
        '(((a{100}){100}){100}){100}',
        `${'('.repeat(499)}${')'.repeat(499)}a{1000}{1000}`,
        '(?=a)',
        '(a)\\1',
        '[',
        'x'.repeat(1001),
      ]) {
        peer.say({ type: 'filter.set', requestId: 'bad', rules: [{ match, outcome: 'drop' }] });
        const { requestId, code } = await peer.next('error');
        assert.deepEqual([requestId, code], ['bad', match.length > 1000 ? 'PAYLOAD_TOO_LARGE' : 'INVALID_JSON'], match.slice(0, 30));
      }
    },
    60_000,
  );

  alike('refuses patterns that are large only once they are compiled, and lets others have theirs compiled', async () => {
    const { peer } = await paired('http://page.example');
    peer.say(hello({ name: 'page' }));
    await peer.next('hello.ack');
    const set = async (from: RawProvider, match: string, count = 1) => {
      from.say({ type: 'filter.set', requestId: 'r', rules: Array.from({ length: count }, () => ({ match, outcome: 'drop' })) });
      await from.any('ack', 'error');
      const [answer] = from.heard.splice(
        from.heard.findIndex(({ type }) => type === 'ack' || type === 'error'),
        1,
      );
      return answer?.type === 'error' ? answer.code : answer?.type;
    };
    for (const large of [`(?:${'x'.repeat(900)}){1000}`, '\\w{1000}'.repeat(120), '(((a{100}){100}){100})', `[${'\\pL'.repeat(330)}]`])
      assert.equal(await set(peer, large), 'INVALID_JSON');
    assert.equal(await set(peer, 'x'.repeat(990), 50), 'PAYLOAD_TOO_LARGE');
    assert.equal(await set(peer, 'git push'), 'ack');
    let spent = 0;
    while ((await set(peer, 'x'.repeat(990), 5)) === 'ack') spent++;
    assert.ok(spent < 20, 'then it must wait, also on another connection');
    assert.equal(await set(peer, 'x'.repeat(990), 20), 'RATE_LIMITED');
    const other = await paired('http://other.example');
    other.peer.say(hello({ name: 'other' }));
    await other.peer.next('hello.ack');
    assert.equal(await set(other.peer, 'x'.repeat(990), 20), 'ack');
    await test.serves();
  });

  alike('gives a peer that connects again no second budget for compiling', async () => {
    const { token } = test.server.gateway.grants.issuePairedToken(undefined);
    const wide = (at: string) => ({
      name: 'wide',
      parameters: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${at}_${n}`, { type: 'string' }])),
      },
    });
    const said = async (peer: RawProvider, at: string) => {
      peer.say(hello({ name: at, tools: [wide(`${test.port}_${at}`)] }));
      await peer.any('hello.ack', 'error');
      const [answer] = peer.heard.filter(({ type }) => type === 'hello.ack' || type === 'error');
      peer.dispose();
      await peer.closed();
      return answer?.type === 'error' ? answer.code : 'bound';
    };
    const codes: string[] = [];
    // The eighth is too much, unless the machine is so busy that a good part of the budget comes back meanwhile.
    while (codes.at(-1) !== 'RATE_LIMITED' && codes.length < 20)
      codes.push(await said(await test.authenticated(token), `p${codes.length}`));
    assert.deepEqual([codes[0], codes.at(-1)], ['bound', 'RATE_LIMITED']);
    assert.equal(await said(await test.authenticated(await test.session.issueToken()), 'honest'), 'bound');
  });

  alike('is not stalled by tools with expensive schemas', async () => {
    const peer = await test.authenticated(await test.session.issueToken());
    const wide = (at: number) => ({
      name: `t${at}`,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 250 }, (_, n) => [`p${at}_${n}`, { enum: ['a'], minLength: 1, type: 'string' }]),
        ),
      },
    });
    peer.say(hello({ tools: Array.from({ length: 100 }, (_, at) => wide(at)) }));
    assert.equal((await peer.next('error')).code, 'PAYLOAD_TOO_LARGE');
    await test.serves();
    peer.say(hello({ tools: [wide(0)] }));
    await peer.next('hello.ack');
  });
});

describe('gateway and file results', () => {
  let test: ControlledGateway;
  let peer: RawProvider;
  let folder: string;
  beforeEach(async () => {
    test = new ControlledGateway();
    await test.start();
    peer = await test.authenticated(await test.session.issueToken());
    peer.say(hello({ name: 'files', tools: [{ name: 'shot' }] }));
    folder = (await peer.next('hello.ack')).persistDir ?? '';
    await test.owner0.tools('a', ['echo', 'shot']);
    writeFileSync(join(folder, 'good.png'), 'image');
    writeFileSync(join(test.home, 'outside'), 'secret');
  });
  afterEach(() => test.stop());
  const ask = async (file: object) => {
    const outcome = test.session.call('shot', {});
    const { id } = await peer.next('tool.call');
    peer.say({ type: 'tool.result', id, file: { path: join(folder, 'good.png'), mimeType: 'image/png', size: 5, ttl: 300, ...file } });
    return outcome;
  };
  const good = async () => assert.ok((await ask({})).ok, 'the same, done right');
  const refuses = (title: string, why: RegExp, file: () => object) =>
    besides(
      () => test,
      title,
      async () => {
        await good();
        const outcome = await ask(file());
        assert.ok(!outcome.ok);
        assert.match(outcome.error, why);
        assert.ok(!JSON.stringify(outcome).includes('secret'));
        await good();
      },
    );
  const inside = (name: string) => join(folder, name);

  besides(
    () => test,
    'reads files in the provider’s own folder and below',
    async () => {
      mkdirSync(inside('deep'));
      writeFileSync(inside('deep/empty'), '');
      assert.deepEqual(await ask({}), {
        ok: true,
        file: { mimeType: 'image/png', size: 5, base64: Buffer.from('image').toString('base64') },
      });
      assert.ok((await ask({ path: inside('deep/../good.png') })).ok);
      assert.ok((await ask({ path: inside('deep/empty'), size: 0 })).ok);
      symlinkSync(inside('good.png'), inside('alias'));
      assert.ok((await ask({ path: inside('alias') })).ok, 'a link that stays inside');
    },
  );
  refuses('refuses a path outside', /outside/, () => ({ path: join(test.home, 'outside'), size: 6 }));
  refuses('refuses a path that leaves by ..', /outside/, () => ({ path: `${folder}/../../outside`, size: 6 }));
  refuses('refuses a path that only begins like the folder', /outside/, () => {
    mkdirSync(`${folder}2`);
    writeFileSync(`${folder}2/x`, 'secret');
    return { path: `${folder}2/x`, size: 6 };
  });
  refuses('refuses a link that leads outside', /outside/, () => {
    symlinkSync(join(test.home, 'outside'), inside('link'));
    return { path: inside('link'), size: 6 };
  });
  refuses('refuses a way through a linked folder', /outside/, () => {
    symlinkSync(test.home, inside('way'));
    return { path: inside('way/outside'), size: 6 };
  });
  refuses('refuses a relative path', /absolute/, () => ({ path: 'good.png' }));
  refuses('refuses the folder itself', /outside/, () => ({ path: folder, size: 0 }));
  refuses('refuses a directory', /regular/, () => {
    mkdirSync(inside('directory'));
    return { path: inside('directory'), size: 0 };
  });
  refuses('refuses a pipe, without waiting for its writer', /regular/, () => {
    execFileSync('mkfifo', [inside('pipe')]);
    return { path: inside('pipe'), size: 0 };
  });
  refuses('refuses a device', /outside/, () => ({ path: '/dev/zero', size: 5 }));
  refuses('refuses a link to a device', /outside/, () => {
    symlinkSync('/dev/zero', inside('zero'));
    return { path: inside('zero'), size: 5 };
  });
  refuses('refuses a file of /proc', /outside/, () => ({ path: `/proc/${process.pid}/environ`, size: 0 }));
  refuses('refuses a file that is larger than was said', /size is 5, not 4/, () => ({ size: 4 }));
  refuses('refuses a file that is smaller than was said', /size is 5, not 6/, () => ({ size: 6 }));
  refuses('refuses a file that is too large, before it is read', /larger than/, () => {
    writeFileSync(inside('huge'), '');
    truncateSync(inside('huge'), 40 * 1024 * 1024);
    return { path: inside('huge'), size: 40 * 1024 * 1024 };
  });
  refuses('refuses a file that is not there any more', /ENOENT/, () => {
    writeFileSync(inside('gone'), 'image');
    rmSync(inside('gone'));
    return { path: inside('gone') };
  });
  refuses('refuses a path with a null byte', /null bytes/, () => ({ path: `${folder}/good.png\u0000.txt` }));
  refuses('refuses a ttl that is over before it could be read', /ttl|in time|within/, () => {
    writeFileSync(inside('slow'), Buffer.alloc(30 * 1024 * 1024));
    return { path: inside('slow'), size: 30 * 1024 * 1024, ttl: 0.000_001 };
  });

  besides(
    () => test,
    'reads no file of an external provider',
    async () => {
      await good();
      const { token } = test.server.gateway.grants.issuePairedToken(undefined);
      const external = await test.authenticated(token);
      external.say(hello({ name: 'files', tools: [{ name: 'theirs' }] }));
      assert.equal((await external.next('hello.ack')).persistDir, undefined);
      await test.owner0.tools('a', ['echo', 'shot', 'theirs']);
      const outcome = test.session.call('theirs', {});
      const { id } = await external.next('tool.call');
      external.say({ type: 'tool.result', id, file: { path: inside('good.png'), mimeType: 'image/png', size: 5, ttl: 300 } });
      const refused = await outcome;
      assert.ok(!refused.ok && refused.errorCode === 'UNAUTHORIZED');
    },
  );

  besides(
    () => test,
    'reads no socket',
    async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(inside('socket'), resolve));
      const outcome = await ask({ path: inside('socket'), size: 0 });
      assert.ok(!outcome.ok);
      await new Promise((resolve) => server.close(resolve));
    },
  );
});
