import assert from 'node:assert/strict';
import { splitContext, withContext } from '../../../base/text/contextBlock.ts';
import type { PromptParts } from '../../../tap/wire/owner/ownerMessages.ts';
import { Prompts } from './prompts.ts';

const nothing: PromptParts = { sections: [], context: [], startup: [] };
const fail = (error: unknown) => assert.fail(String(error));

describe('What is added to a prompt', () => {
  const partsOf = (text: string) => splitContext(text).parts.map(({ kind, provider, name, content }) => [kind, provider, name, content]);

  it('never costs the user’s words, also when the gateway answers nonsense', async () => {
    const prompts = new Prompts();
    const problems: unknown[] = [];
    const nonsense = { sections: 7 } as unknown as PromptParts;
    assert.equal(
      await prompts.prepare(
        'go',
        async () => nonsense,
        (error) => problems.push(error),
      ),
      'go',
    );
    assert.equal(problems.length, 1);
    assert.equal(await prompts.prepare('on', async () => nothing, fail), 'on');
  });

  it('stands in front of the words in a block, and nothing where there is nothing', async () => {
    const prompts = new Prompts();
    assert.equal(await prompts.prepare('go', async () => nothing, fail), 'go');
    assert.equal(await prompts.prepare('go', async () => undefined, fail), 'go');
    const given: PromptParts = {
      sections: [
        {
          section: 'tone',
          content: 'brief',
          parts: [
            { provider: 'a', action: 'append', content: 'brief' },
            { provider: 'b', action: 'append', content: 'x' },
          ],
        },
        { section: 'given', content: 'not touched', parts: [] },
      ],
      context: [{ provider: 'ci', content: 'red' }],
      startup: [{ provider: 'ci', content: 'hi' }],
    };
    assert.deepEqual(partsOf(await prompts.prepare('go', async () => given, fail)), [
      ['startup', 'ci', undefined, 'hi'],
      ['section', 'a, b', 'tone', 'brief'],
      ['context', 'ci', undefined, 'red'],
    ]);
    assert.equal(partsOf(await prompts.prepare('go', async () => given, fail)).length, 2, 'what is said once is not said again');
  });

  it('replaces the block of a message that is sent again', async () => {
    const again = withContext([{ kind: 'context', provider: 'ci', content: 'old' }], 'go');
    const sent = await new Prompts().prepare(again, async () => ({ ...nothing, context: [{ provider: 'ci', content: 'new' }] }), fail);
    assert.deepEqual([partsOf(sent), splitContext(sent).words], [[['context', 'ci', undefined, 'new']], 'go']);
  });

  it('keeps an event that is sent again what it was', async () => {
    const event = withContext([{ kind: 'push', provider: 'ci', name: 'build', content: 'it failed' }], '');
    assert.equal(await new Prompts().prepare(event, async () => nothing, fail), event);
    const prompted = withContext([{ kind: 'push', provider: 'ci', content: '' }], 'look at it');
    assert.equal(
      await new Prompts().prepare(
        prompted,
        () => Promise.reject(new Error('gone')),
        () => undefined,
      ),
      prompted,
    );
  });

  it('keeps the order of messages, however long the providers take', async () => {
    const prompts = new Prompts();
    const order: string[] = [];
    let answer: (parts: PromptParts) => void = () => undefined;
    const first = prompts.prepare('first', () => new Promise((resolve) => (answer = resolve)), fail);
    const second = prompts.prepare('second', async () => nothing, fail);
    const both = [first, second].map((prepared) => prepared.then((text) => order.push(text)));
    await new Promise(setImmediate);
    assert.deepEqual(order, []);
    answer(nothing);
    await Promise.all(both);
    assert.deepEqual(order, ['first', 'second']);
  });

  it('goes without the providers when they cannot be asked, and says so', async () => {
    const problems: unknown[] = [];
    const prompts = new Prompts();
    prompts.addFromHook([{ provider: 'ci', content: 'careful' }]);
    const refused = async (): Promise<PromptParts> => Promise.reject(new Error('the gateway was lost'));
    const sent = await prompts.prepare('go', refused, (error) => problems.push(error));
    assert.deepEqual(partsOf(sent), [['hook', 'ci', undefined, 'careful']]);
    assert.match(String(problems), /the gateway was lost/);
  });

  it('is bounded', async () => {
    const context = Array.from({ length: 5 }, (_, index) => ({ provider: `p${index}`, content: 'x'.repeat(90_000) }));
    const sent = await new Prompts().prepare('go', async () => ({ ...nothing, context }), fail);
    assert.ok(sent.length < 201_000);
    assert.equal(splitContext(sent).words, 'go');
  });
});
