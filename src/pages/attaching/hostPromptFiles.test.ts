import assert from 'node:assert/strict';
import { RpcError } from '../../base/jsonRpc.ts';
import { PromptFiles, readPrompt } from './hostPromptFiles.ts';

describe('prompt files of a host', () => {
  const folder = 'file:///w';
  const refused = () => new RpcError(-32008, 'not found');
  /** A host with these files. */
  function host(files: Record<string, string>) {
    const asked: string[] = [];
    const command = (method: string, { uri }: { uri: string }): Promise<unknown> => {
      asked.push(`${method} ${uri}`);
      if (method === 'resourceRead') {
        const data = files[uri];
        return data === undefined ? Promise.reject(refused()) : Promise.resolve({ data, encoding: 'utf-8' });
      }
      const names = Object.keys(files).filter((file) => file.startsWith(`${uri}/`));
      if (names.length === 0) return Promise.reject(refused());
      return Promise.resolve({ entries: names.map((file) => ({ name: file.slice(uri.length + 1), type: 'file' })) });
    };
    return { asked, client: { command } as unknown as Parameters<typeof readPrompt>[0] };
  }

  it('are offered with what they say of themselves', async () => {
    const { client } = host({
      'file:///w/.github/prompts/review.prompt.md': '---\ndescription: Looks at a change\n---\nReview it.',
      'file:///w/.claude/commands/release.md': 'Release it.',
    });
    assert.deepEqual(await new PromptFiles().find(client, folder, 're'), [
      { name: 'review', path: '.github/prompts/review.prompt.md', description: 'Looks at a change' },
      { name: 'release', path: '.claude/commands/release.md' },
    ]);
    assert.equal(await readPrompt(client, folder, '.github/prompts/review.prompt.md'), 'Review it.');
  });

  it('are looked into once for several letters, and no further than a limit', async () => {
    const long = `---\ndescription: Long\n---\n${'x'.repeat(600_000)}`;
    const { client, asked } = host({
      'file:///w/.claude/commands/a1.md': long,
      'file:///w/.claude/commands/a2.md': long,
      'file:///w/.claude/commands/a3.md': long,
    });
    let now = 0;
    const prompts = new PromptFiles({ now: () => now });
    const found = await prompts.find(client, folder, 'a');
    assert.deepEqual(
      found.map(({ description }) => description),
      ['Long', 'Long', undefined],
    );
    const { length } = asked;
    await prompts.find(client, folder, 'a1');
    assert.equal(asked.length, length);
    await prompts.find(client, 'file:///v', 'a1');
    now = 10_000;
    await prompts.find(client, folder, 'a1');
    assert.equal(asked.length, 2 * length + 2);
  });

  it('are asked for again when the host did not answer', async () => {
    let isAway = true;
    const command = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve({ entries: [] }));
    const prompts = new PromptFiles();
    const client = { command } as unknown as Parameters<typeof readPrompt>[0];
    await assert.rejects(prompts.find(client, folder, ''), /away/);
    isAway = false;
    assert.deepEqual(await prompts.find(client, folder, ''), []);
  });

  it('are none where there is no such folder, and where the session has none', async () => {
    const { client, asked } = host({});
    assert.deepEqual(await new PromptFiles().find(client, folder, ''), []);
    asked.length = 0;
    assert.deepEqual(await new PromptFiles().find(client, undefined, ''), []);
    assert.deepEqual(asked, []);
  });

  it('are read by no path but one that is offered', async () => {
    const { client, asked } = host({ 'file:///w/secret.md': 'secret' });
    await assert.rejects(readPrompt(client, folder, '.claude/commands/../../secret.md'), /not a prompt file/);
    await assert.rejects(readPrompt(client, undefined, '.claude/commands/a.md'), /not a prompt file/);
    assert.deepEqual(asked, []);
  });

  it('are refused when they are gone, or longer than a message', async () => {
    const { client } = host({ 'file:///w/.claude/commands/long.md': 'x'.repeat(64_001) });
    await assert.rejects(
      readPrompt(client, folder, '.claude/commands/long.md'),
      /64,001 characters\. A prompt file may have at most 64,000/,
    );
    await assert.rejects(readPrompt(client, folder, '.claude/commands/gone.md'), /gone\.md has no text, or cannot be read any more/);
  });

  it('say so when the host does not answer', async () => {
    const client = { command: () => Promise.reject(new Error('The agent host is away')) } as unknown as Parameters<typeof readPrompt>[0];
    await assert.rejects(new PromptFiles().find(client, folder, ''), /away/);
  });
});
