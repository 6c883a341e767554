/** What a run has brought about, over HTTP. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedFile } from '../../../src/views/portal/answers/resultAnswers.ts';
import type { TestPortal } from './portalHarness.ts';
import { english, phrase } from '../../../src/base/text/phrase.ts';
import { resultError } from '../../../src/portal/result/runResult.ts';
import { ask, ranWork, resultOf, startResultPortal } from './resultHarness.ts';

describe('the result of a run', function () {
  this.timeout(60_000);
  let test: TestPortal;
  let folder: string;

  async function start(prompts: Record<string, string[]>, files: Record<string, string> = {}): Promise<void> {
    test = await startResultPortal(prompts);
    folder = join(test.folder, 'work here');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  }
  afterEach(() => test.close());

  const withoutIds = ({ id: _id, revision: _revision, discard: _discard, ...file }: ChangedFile) => file;

  it('is the files that the sessions of each step have changed, with their lines', async () => {
    await start(
      { first: ['write a.txt one\\nTWO\\n', 'write new.md hello\\n'], idle: ['say nothing'], last: ['delete b.txt'] },
      { 'a.txt': 'one\ntwo\n', 'b.txt': 'gone\nsoon\n' },
    );
    const { steps } = await resultOf(test, await ranWork(test, folder));
    assert.deepEqual(
      steps.map(({ taskName, status, changes, problems }) => [
        taskName,
        status,
        changes.flatMap(({ files }) => files.map(withoutIds)),
        problems,
      ]),
      [
        [
          'first',
          'Succeeded',
          [
            { path: 'a.txt', change: 'changed', added: 1, removed: 1, localPath: join(folder, 'a.txt') },
            { path: 'new.md', change: 'created', added: 1, removed: 0, localPath: join(folder, 'new.md') },
          ],
          [],
        ],
        ['last', 'Succeeded', [{ path: 'b.txt', change: 'deleted', added: 0, removed: 2 }], []],
      ],
    );
  });

  it('has both texts of a change, and of nothing that the run has not changed', async () => {
    await start({ first: ['write a.txt one\\nTWO\\n'], last: ['delete b.txt'] }, { 'a.txt': 'one\ntwo\n', 'b.txt': 'x', 'c.txt': 'mine' });
    const jobId = await ranWork(test, folder);
    const [first, last] = (await resultOf(test, jobId)).steps.flatMap(({ changes }) => changes);
    assert.ok(first && last);
    const file = first.files[0]?.id ?? '';
    assert.deepEqual(await ask(test, jobId, 'diff', { sessionId: first.sessionId, file }), { before: 'one\ntwo\n', after: 'one\nTWO\n' });
    assert.deepEqual(await ask(test, jobId, 'diff', { sessionId: last.sessionId, file: last.files[0]?.id }), { before: 'x', after: '' });
    for (const other of [
      { sessionId: last.sessionId, file },
      { sessionId: first.sessionId, file: file.replace('a.txt', 'c.txt') },
      { sessionId: await test.startSession(), file },
    ])
      assert.equal((await ask(test, jobId, 'diff', other))['error'], 'ChangeNotFound');
    assert.deepEqual(await ask(test, '00000000-0000-4000-8000-000000000000', 'diff', { sessionId: first.sessionId, file }), {
      error: 'JobNotFound',
    });
  });

  it('has the documents that a step has reported, where they are texts in the folder of the run', async () => {
    await start(
      {
        write: ['write notes.md # Notes', 'report notes.md', 'report FOLDER/notes.md', 'report code.ts', 'report notes.md'],
        stray: ['report ../secret.md', 'report link.md', 'report gone.md', 'report .', 'report raw.md', 'report long.md'],
      },
      { 'code.ts': 'let a;\n', 'raw.md': 'a\0b', 'long.md': 'x'.repeat(600_000) },
    );
    writeFileSync(join(test.folder, 'secret.md'), 'secret');
    symlinkSync(join(test.folder, 'secret.md'), join(folder, 'link.md'));
    const jobId = await ranWork(test, folder);
    const [write, stray] = (await resultOf(test, jobId)).steps;
    assert.deepEqual(write?.documents, [join(folder, 'notes.md'), 'code.ts', 'notes.md']);
    const text = (step: string | undefined, document: string) => ask(test, jobId, 'document', { step, document });
    assert.deepEqual(await text(write.step, 'notes.md'), { localPath: join(folder, 'notes.md'), isMarkdown: true, text: '# Notes' });
    assert.deepEqual(await text(write.step, 'code.ts'), { localPath: join(folder, 'code.ts'), isMarkdown: false, text: 'let a;\n' });
    assert.equal((await text(write.step, 'raw.md'))['error'], 'DocumentNotFound', 'it was reported by another step');
    const missing = 'There is no such file in the folder of the run, or not any more.';
    const expected = {
      '../secret.md': missing,
      'link.md': missing,
      'gone.md': missing,
      '.': missing,
      'raw.md': 'This is no text.',
      'long.md': 'This is too long to be shown here.',
    };
    assert.deepEqual(stray?.documents, Object.keys(expected));
    for (const [document, message] of Object.entries(expected)) {
      const { error, message: said } = await text(stray.step, document);
      assert.deepEqual({ error, said }, { error: 'ContentUnavailable', said: message }, document);
    }
  });

  it('is discarded file by file or as a whole, and only as it was seen', async () => {
    await start(
      { first: ['write a.txt one\\nTWO\\n', 'write b.txt B\\n', 'write new.md hello\\n'] },
      { 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n', 'c.txt': 'mine\n' },
    );
    const jobId = await ranWork(test, folder);
    const changes = async () => {
      const [of] = (await resultOf(test, jobId)).steps.flatMap((step) => step.changes);
      assert.ok(of);
      return of;
    };
    const text = (name: string) => readFileSync(join(folder, name), 'utf8');
    const { sessionId, files, revision, discard } = await changes();
    const [a, , created] = files;
    assert.ok(a && created);
    assert.match(discard ?? '', /cannot be undone/);
    assert.match(a.discard ?? '', /cannot be undone\.$/);
    assert.match(created.discard ?? '', /so it is deleted\.$/);
    const discarded = (request: object) => ask(test, jobId, 'discard', { sessionId, ...request });
    assert.equal((await discarded({ file: a.id, revision })).error, 'ChangeChanged');
    assert.equal((await discarded({ file: a.id.replace('a.txt', 'c.txt'), revision: a.revision })).error, 'ChangeNotFound');
    assert.equal((await discarded({ sessionId: await test.startSession(), revision })).error, 'ChangeNotFound');
    assert.deepEqual([text('a.txt'), text('c.txt')], ['one\nTWO\n', 'mine\n']);
    assert.deepEqual(await discarded({ file: a.id, revision: a.revision }), { result: 'Discarded' });
    assert.equal(text('a.txt'), 'one\ntwo\n');
    assert.equal((await discarded({ revision })).error, 'ChangeChanged', 'there are other changes than were seen');
    writeFileSync(join(folder, 'b.txt'), 'also mine\n');
    const { message, ...rest } = await discarded({ revision: (await changes()).revision });
    assert.deepEqual(rest, { result: 'Discarded' });
    assert.match(String(message), /^One file is left as it is\. b\.txt/);
    assert.deepEqual([text('b.txt'), existsSync(join(folder, 'new.md'))], ['also mine\n', false]);
    const left = await changes();
    const refused = await discarded({ file: left.files[0]?.id, revision: left.files[0]?.revision });
    assert.deepEqual([refused.error, text('b.txt')], ['DiscardRefused', 'also mine\n']);
  });

  it('says where a change is no text, and where a session is not there any more', async () => {
    await start({ first: ['write a.bin a\0b'] });
    const jobId = await ranWork(test, folder);
    const [changes] = (await resultOf(test, jobId)).steps.flatMap((step) => step.changes);
    assert.ok(changes);
    const asked = { sessionId: changes.sessionId, file: changes.files[0]?.id };
    assert.deepEqual(await ask(test, jobId, 'diff', asked), resultError('ContentUnavailable', phrase`This is no text.`));
    await test.client.command('disposeSession', { channel: test.portal.sessions.uriOf(changes.sessionId) });
    const [step] = (await resultOf(test, jobId)).steps;
    assert.deepEqual(step?.changes, []);
    assert.match(step?.problems.join() ?? '', /has changed is not known/);
    assert.deepEqual(step?.words?.map(english), step?.problems);
  });
});
