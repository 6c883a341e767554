import assert from 'node:assert/strict';
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';
import { type Answer, PairedTools } from './pairedTools.ts';

const tool: OfferedTool = { name: 'title', description: 'The title', parameters: {}, provider: 'page', trust: 'external', timeoutMs: 1 };

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
    const paired = new PairedTools({ canAsk: true, allowAll: false });
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
      asked.map((question) => question.includes('has changed since')),
      [false, true, true, false, false, false],
    );
  });

  it('stay off once declined, and are asked about again when the question was only closed', async () => {
    const paired = new PairedTools({ canAsk: true, allowAll: false });
    answer = 'cancel';
    assert.equal(await paired.allow(tool, ask), false);
    answer = 'decline';
    assert.equal(await paired.allow(tool, ask), false);
    answer = 'accept';
    assert.deepEqual([await paired.allow(tool, ask), asked.length], [false, 2]);
  });

  it('are asked about once for calls that come together, and again after a question that failed', async () => {
    const paired = new PairedTools({ canAsk: true, allowAll: false });
    const failing = async () => {
      throw new Error('gone');
    };
    await assert.rejects(paired.allow(tool, failing), /gone/);
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => paired.allow(tool, ask))), [true, true, true]);
    assert.equal(asked.length, 1);
  });

  it('are not offered where nobody can be asked, unless the user wants them all', async () => {
    const silent = new PairedTools({ canAsk: false, allowAll: false });
    assert.deepEqual([silent.isOffered(tool), await silent.allow(tool, ask), asked.length], [false, false, 0]);
    const all = new PairedTools({ canAsk: false, allowAll: true });
    assert.deepEqual([all.isOffered(tool), await all.allow(tool, ask), asked.length], [true, true, 0]);
  });

  it('are no others: programs of this user are not asked about here', async () => {
    const paired = new PairedTools({ canAsk: false, allowAll: false });
    const own = { ...tool, trust: 'project' as const };
    assert.deepEqual([paired.isOffered(own), await paired.allow(own, ask), asked.length], [true, true, 0]);
  });

  it('show a description that is not endless', async () => {
    const paired = new PairedTools({ canAsk: true, allowAll: false });
    await paired.allow({ ...tool, description: 'x'.repeat(4000), parameters: { description: 'y'.repeat(4000) } }, ask);
    assert.ok((asked[0]?.length ?? Infinity) < 1200);
  });

  it('are shown with the page that they are of, and what they take', async () => {
    const paired = new PairedTools({ canAsk: true, allowAll: false });
    await paired.allow({ ...tool, parameters: { type: 'object' } }, ask);
    await paired.allow({ ...tool, origin: 'https://other.example' }, ask);
    assert.match(asked[0] ?? '', /“page” \(a program\) in this session[^]*It takes: \{"type":"object"\}$/);
    assert.match(asked[1] ?? '', /“page” \(the page "https:\/\/other\.example"\)/);
  });
});
