import assert from 'node:assert/strict';
import { FakeGateway, hello } from '../../test/fakes/fakeGateway.ts';
import { slowPattern, slowText } from '../../test/fakes/slowPattern.ts';
import { compileGlob, compilePattern, PatternTime } from './pattern.ts';

describe('patterns of providers', () => {
  it('match anywhere in the text', () => {
    const time = new PatternTime();
    assert.equal(time.test(compilePattern('git push', 'f'), '{"command":"git push origin"}'), true);
    assert.equal(time.test(compilePattern('^git', 'f'), '{"command":"git"}'), false);
  });

  it('that cost too much are stopped together, and are as good as before afterwards', () => {
    const pattern = compilePattern(slowPattern, 'f');
    const time = new PatternTime();
    const started = performance.now();
    for (let at = 0; at < 50; at++) assert.equal(time.test(pattern, slowText), 'too slow');
    assert.ok(performance.now() - started < 2000);
    assert.equal(time.test(compilePattern('^x', 'f'), 'x'), true, 'a cheap one needs no time');
    assert.equal(new PatternTime().test(pattern, `${'a'.repeat(300)}c`), true);
    assert.equal(new PatternTime().test(pattern, 'ab'), false);
  });

  it('have a size, also when it is written short', () => {
    assert.throws(() => compilePattern('(?:\\pL{100}){10}(?:\\pL{100}){10}', 'rules[1].match'), /^ProviderError: rules\[1\]\.match: /);
    assert.throws(() => compilePattern('((a{100}){100}){100}', 'f'), /f: /);
    assert.throws(() => compilePattern('(?=x)', 'f'), /f: /);
    assert.throws(() => compilePattern('(a)\\1', 'f'), /f: /);
  });

  it('of files: * within a folder, ** across, ? for one character, the name alone without a slash', () => {
    const matches = (glob: string, path: string) => new PatternTime().test(compileGlob(glob, 'f'), path.replaceAll('\\', '/'));
    assert.deepEqual(
      [
        matches('*.sql', '/db/one.sql'),
        matches('/db/*.sql', '/db/deep/one.sql'),
        matches('/db/**.sql', '/db/deep/one.sql'),
        matches('?.sql', 'C:\\db\\a.sql'),
        matches('?.sql', 'ab.sql'),
        matches('(a+)+.sql', 'aaa.sql'),
      ],
      [true, false, true, true, false, false],
    );
  });
});

describe('a pattern that costs too much', () => {
  let fake: FakeGateway;
  beforeEach(() => {
    fake = new FakeGateway();
    fake.session('a');
  });
  afterEach(() => fake.dispose());

  it('in a hook rule counts as matching: denied, and asked at a gate, but no context', async () => {
    const evaluate = (tool: string) => fake.gateway.hooks.evaluate(fake.gateway.sessions.get('a')!, { tool, args: { text: slowText } });
    const rules = [
      { match: { tool: 'denied', args: slowPattern }, action: 'deny' },
      { match: { tool: 'gated', args: slowPattern }, action: 'gate', gateId: 'g' },
      { match: { tool: 'more', args: slowPattern }, action: 'context', content: 'x' },
    ];
    const peer = fake.spawned('a').say(hello({ hooks: { onPreToolUse: rules } }));
    assert.equal((await evaluate('denied')).decision, 'deny');
    assert.deepEqual(await evaluate('more'), { decision: 'allow', context: [] });
    const gated = evaluate('gated');
    peer.say({ type: 'gate.result', callId: peer.last('gate.check').callId, decision: 'allow' });
    assert.equal((await gated).decision, 'allow');
    assert.equal((await evaluate('other')).decision, 'allow');
  });

  it('in a filter counts as not matching: the level of the push rules', () => {
    const peer = fake
      .spawned('a')
      .say(hello())
      .say({ type: 'filter.set', rules: Array.from({ length: 50 }, () => ({ match: slowPattern, outcome: 'drop' })) });
    assert.deepEqual(peer.errors, []);
    const started = performance.now();
    peer.say({ type: 'push', level: 'surface', event: slowText });
    assert.ok(performance.now() - started < 2000);
    assert.equal(fake.owner.all('push/surfaced').length, 1);
    peer.say({ type: 'push', level: 'surface', event: `${'a'.repeat(300)}c` });
    assert.equal(fake.owner.all('push/surfaced').length, 1, 'dropped');
  });
});
