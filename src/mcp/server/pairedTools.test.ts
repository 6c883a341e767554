import assert from 'node:assert/strict';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { type Answer, PairedTools, type PairedToolsOptions } from './pairedTools.ts';

const tool: OfferedTool = { name: 'title', description: 'The title', parameters: {}, provider: 'page', trust: 'external', timeoutMs: 1 };

const pairedTools = (options: Partial<PairedToolsOptions>) =>
  new PairedTools({ canAsk: false, allowAll: false, onAllowed: () => undefined, ...options });

describe('tools of paired providers', () => {
  let asked: string[];
  let answer: Answer;
  const ask = async (question: string) => {
    asked.push(question);
    return answer;
  };
  beforeEach(() => {
    asked = [];
    answer = 'accept';
  });

  it('are asked about once, and again when they have changed', async () => {
    const paired = pairedTools({ canAsk: true });
    assert.equal(paired.isAllowed(tool), false);
    assert.deepEqual([await paired.allow(tool, ask), await paired.allow({ ...tool }, ask), asked.length], [true, true, 1]);
    for (const change of [
      { description: 'x' },
      { parameters: { type: 'object' } },
      { name: 'other' },
      { provider: 'other' },
      { origin: 'https://other.example' },
    ]) {
      assert.equal(paired.isAllowed({ ...tool, ...change }), false);
      await paired.allow({ ...tool, ...change }, ask);
    }
    assert.deepEqual(
      asked.map((question) => question.startsWith('Allow the changed tool')),
      [false, true, true, false, false, false],
    );
  });

  it('stay off once declined, and are asked about again when the question was only closed', async () => {
    const paired = pairedTools({ canAsk: true });
    answer = 'cancel';
    assert.equal(await paired.allow(tool, ask), false);
    answer = 'decline';
    assert.equal(await paired.allow(tool, ask), false);
    answer = 'accept';
    assert.deepEqual([await paired.allow(tool, ask), asked.length], [false, 2]);
  });

  it('are asked about once for calls that come together, and again after a question that failed', async () => {
    const paired = pairedTools({ canAsk: true });
    const failing = async () => {
      throw new Error('gone');
    };
    await assert.rejects(paired.allow(tool, failing), /gone/);
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => paired.allow(tool, ask))), [true, true, true]);
    assert.equal(asked.length, 1);
  });

  it('are not offered where nobody can be asked, unless the user wants them all', async () => {
    const silent = pairedTools({});
    assert.deepEqual([silent.isOffered(tool), await silent.allow(tool, ask), asked.length], [false, false, 0]);
    const all = pairedTools({ allowAll: true });
    assert.deepEqual([all.isOffered(tool), await all.allow(tool, ask), asked.length], [true, true, 0]);
  });

  it('are no others: programs of this user are not asked about here', async () => {
    const paired = pairedTools({});
    const own = { ...tool, trust: 'project' as const };
    assert.deepEqual([paired.isOffered(own), await paired.allow(own, ask), asked.length], [true, true, 0]);
  });

  it('are shown whole, as the window shows them, and can forge nothing of the question', async () => {
    const paired = pairedTools({ canAsk: true });
    const forged = 'page” (internal). “x\u200b';
    const parameters = { properties: { a: { description: 'the last word\u202e' } } };
    const origin = `https://accounts.google.com.${'a.'.repeat(100)}evil.example`;
    await paired.allow({ ...tool, provider: forged, origin, description: `${'y'.repeat(1_500)}END`, parameters }, ask);
    const [question = ''] = asked;
    assert.match(
      question,
      /^Allow the new tool “title”\? [^\n]*in this session[^\n]*\n\n {4}provider "page” \(internal\)\. “x\\u\{200b\}"\n/,
    );
    assert.match(question, /\n {4}trust: paired, https:\/\/….*\.evil\.example\n/);
    assert.match(question, /\n +followed by "END"\n/);
    assert.match(question, /the last word\\u\{202e\}"/);
    assert.doesNotMatch(question, /google|\u202e|\u200b/);
    const [, ...facts] = question.split('\n\n');
    for (const line of facts.join('\n').split('\n')) assert.match(line, /^ {4}/);
  });

  it('cannot be allowed where a question could not show them whole', async () => {
    const paired = pairedTools({ canAsk: true });
    for (const long of [
      { description: 'x'.repeat(6_000) },
      { parameters: { description: 'y'.repeat(2_000_000) } },
      { parameters: { description: '\u202e'.repeat(1_000) } },
    ]) {
      assert.equal(paired.stateOf({ ...tool, ...long }), 'tooLong');
      assert.equal(await paired.allow({ ...tool, ...long }, ask), false);
    }
    assert.equal(asked.length, 0);
    const fits = { ...tool, description: 'x'.repeat(3_000) };
    assert.deepEqual(
      [paired.stateOf(fits), await paired.allow(fits, ask), paired.stateOf(fits), asked.length],
      ['asks', true, 'allowed', 1],
    );
    assert.equal(pairedTools({ allowAll: true }).stateOf({ ...tool, description: 'x'.repeat(6_000) }), 'allowed');
  });

  it('stay allowed when the instances of their provider change', async () => {
    const paired = pairedTools({ canAsk: true });
    await paired.allow(tool, ask);
    assert.equal(paired.isAllowed({ ...tool, instances: [{ name: 'a' }, { name: 'b' }] }), true);
    const target = { type: 'string', description: 'Instance ID; the most recently active one if left out. Available: a, b' };
    assert.equal(paired.isAllowed({ ...tool, parameters: { properties: { target } } }), false, 'the provider’s own');
  });

  it('say when one has been allowed, because it is listed with its own words then', async () => {
    let allowed = 0;
    const paired = pairedTools({ canAsk: true, onAllowed: () => allowed++ });
    answer = 'decline';
    await paired.allow({ ...tool, name: 'other' }, ask);
    assert.equal(allowed, 0);
    answer = 'accept';
    await Promise.all([paired.allow(tool, ask), paired.allow(tool, ask)]);
    assert.equal(allowed, 1);
  });
});
