import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { RE2JS } from 're2js';
import { Limit } from '../../tap/wire/limits.ts';
import { FakeGateway, hello } from '../../../test/fakes/fakeGateway.ts';
import { slowPattern, slowText } from '../../../test/fakes/slowPattern.ts';
import { CompileBudget } from './compileBudget.ts';
import { linearPattern, type Pattern } from '../../base/node/patterns/linearPattern.ts';
import { compilePatterns, globSource, PatternTime } from './pattern.ts';

const compilePattern = (source: string, field: string) => compilePatterns([{ source, field }], new CompileBudget(() => 0))[0] as Pattern;
/** Patterns of a kilobyte or less, and what the engine would make of them. */
const tooLarge = {
  'a million states': `(?:${'x'.repeat(900)}){1000}`,
  'repetitions in repetitions': '(((a{100}){100}){100})',
  'repetitions in a row': '\\w{1000}'.repeat(120),
  'optional parts': `(?:${'a?'.repeat(400)}){900}`,
  alternatives: `(?:${Array.from({ length: 300 }, (_, at) => String.fromCharCode(0x4e00 + at * 2)).join('x|')}){1000}`,
  'large classes': `[${'\\pL'.repeat(330)}]`,
  'alternatives that are large classes': Array.from({ length: 250 }, () => '\\pL').join('|'),
  'large classes in repetitions': '\\pL{990}',
  'ranges in which case does not matter': `(?i)${'[b-\\x{1e943}]'.repeat(70)}`,
};

describe('patterns of providers', function () {
  this.timeout(20_000);

  it('match anywhere in the text', () => {
    const time = new PatternTime(50);
    assert.equal(time.test(compilePattern('git push', 'f'), '{"command":"git push origin"}'), true);
    assert.equal(time.test(compilePattern('^git', 'f'), '{"command":"git"}'), false);
  });

  it('that cost too much are interrupted together, and work afterwards', () => {
    const pattern = compilePattern(slowPattern, 'f');
    const time = new PatternTime(50);
    for (let at = 0; at < 50; at++) assert.equal(time.test(pattern, slowText), 'too slow');
    assert.equal(time.test(compilePattern('^x', 'f'), 'x'), true, 'a cheap one needs no time');
    const text = 'a'.repeat(1000);
    const found = Array.from({ length: 50 }, () => time.test(pattern, text));
    assert.deepEqual([found[0], found[49]], [false, 'too slow'], 'many cheap ones are not cheap');
    assert.equal(new PatternTime(50).test(pattern, `${'a'.repeat(300)}c`), true);
    assert.equal(new PatternTime(50).test(pattern, 'ab'), false);
  });

  it('have a maximum size, also when written in a short form', () => {
    const around = compilePattern('x', 'f').size - 1;
    assert.equal(compilePattern('x'.repeat(1000 - around), 'f').size, 1000);
    assert.throws(() => compilePattern('x'.repeat(1001 - around), 'f'), /f: the pattern is too large: 1001 states, at most 1000/);
    assert.throws(() => compilePattern('(?:\\pL{100}){10}(?:\\pL{100}){10}', 'rules[1].match'), /^ProviderError: rules\[1\]\.match: /);
    assert.throws(() => compilePattern('((a{100}){100}){100}', 'f'), /f: /);
    assert.throws(() => compilePattern('(?=x)', 'f'), /f: /);
    assert.throws(() => compilePattern('(a)\\1', 'f'), /f: /);
  });

  for (const [what, source] of Object.entries(tooLarge)) {
    it(`that are short, but ${what} when they are compiled, never get to the engine`, () => {
      const compile = mock.method(RE2JS, 'compile');
      try {
        assert.ok(source.length <= Limit.patternLength);
        assert.throws(() => compilePattern(source, 'rules[3].match'), /^ProviderError: rules\[3\]\.match: the pattern is too large/);
        assert.equal(compile.mock.callCount(), 0);
        assert.equal(compilePattern('git push', 'f').test('git push'), true);
        assert.equal(compile.mock.callCount(), 1, 'another one does');
      } finally {
        compile.mock.restore();
      }
    });
  }

  it('are paid for together before any is compiled, and again after the budget has refilled', () => {
    let now = 0;
    const budget = new CompileBudget(() => now);
    const one = 1000;
    const list = Array.from({ length: 10 }, () => ({ source: 'x'.repeat(one - 3), field: 'f' }));
    for (let at = 0; at < Limit.compileWork / (10 * one); at++) compilePatterns(list, budget);
    const compile = mock.method(RE2JS, 'compile');
    try {
      assert.throws(() => compilePatterns(list, budget), { code: 'RATE_LIMITED', message: /try again in 10 s/ });
      assert.equal(compile.mock.callCount(), 0);
      now = (1000 * 10 * one) / Limit.compileWorkPerSecond - 1;
      assert.throws(() => compilePatterns(list, budget), { code: 'RATE_LIMITED' });
      now++;
      compilePatterns(list, budget);
      assert.equal(compile.mock.callCount(), 10);
    } finally {
      compile.mock.restore();
    }
  });

  it('that are too large for any budget are refused for good', () => {
    const list = Array.from({ length: 40 }, () => ({ source: 'x'.repeat(900), field: 'f' }));
    assert.throws(() => compilePatterns(list, new CompileBudget(() => 0)), { code: 'PAYLOAD_TOO_LARGE' });
    assert.equal(linearPattern('x'.repeat(900)).size, 902);
  });

  it('of files: * within a folder, ** across, ? for one character, the name alone without a slash', () => {
    const matches = (glob: string, path: string) =>
      new PatternTime(50).test(compilePattern(globSource(glob), 'f'), path.replaceAll('\\', '/'));
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

describe('a pattern that costs too much', function () {
  this.timeout(20_000);
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

  it('in a filter counts as not matching, so the level of the push decides', () => {
    const rules = [
      ...Array.from({ length: 49 }, () => ({ match: slowPattern, outcome: 'drop' })),
      { match: 'c [ab]{200}', outcome: 'drop' },
    ];
    const peer = fake.spawned('a').say(hello()).say({ type: 'filter.set', rules });
    assert.deepEqual(peer.errors, []);
    peer.say({ type: 'push', level: 'surface', event: slowText });
    assert.equal(fake.owner.all('push/surfaced').length, 1, 'the last rule would match, but there was no time left for it');
    peer.say({ type: 'push', level: 'surface', event: `${'a'.repeat(300)}c` });
    assert.equal(fake.owner.all('push/surfaced').length, 1, 'dropped');
  });
});
