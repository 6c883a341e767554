import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import { UserError } from '../../base/errors.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import { Answers } from './answers.ts';
import { keepEmitter } from './keepEmitter.ts';
import { readProject } from './project.ts';

const emitter: EmitterStatus = {
  ...{ name: 'tests', stream: 'tests', command: 'npm test', runSchedule: 'timed', runInterval: '5m', runs: 1 },
  ...{ eventFilter: [], ownership: 'userOwned', lifespan: 'temporary', startedBy: 'user', state: 'waiting' },
  lines: { drop: 0, keep: 0, surface: 0, inject: 0 },
  injector: { enabled: true, waiting: 0, dropped: 0, isPaused: false },
};

describe('An emitter that the user keeps', () => {
  let folder: string;
  let answers: Answers;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-keep-')));
    answers = new Answers(new MemoryStorage(), 'answers');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = () => join(folder, 'tap.config.json');
  const keep = (change: Partial<EmitterStatus> = {}, isDirty = false) => {
    const write = async (path: string, text: string) => writeFileSync(path, text);
    return keepEmitter({ folder, emitter: { ...emitter, ...change }, answers, isDirty: () => isDirty, write });
  };
  const answer = async () => {
    const project = await readProject(folder);
    assert.ok(project);
    return answers.of(project);
  };

  it('stands in a new file, and in one that was allowed, without another question', async () => {
    await keep();
    assert.equal(await answer(), 'run');
    await keep({ name: 'other', stream: 'other' });
    assert.equal(await answer(), 'run');
    assert.deepEqual(
      (await readProject(folder))?.emitters.map(({ name }) => name),
      ['tests', 'other'],
    );
  });

  it('does not make a list allowed that was not, nor a command that a model has thought of', async () => {
    writeFileSync(file(), '{ "emitters": [{ "name": "strange", "command": "x" }] }');
    await keep();
    assert.equal(await answer(), undefined);
    writeFileSync(file(), '{ "other": 1 }');
    await keep({ startedBy: 'model' });
    assert.equal(await answer(), undefined);
  });

  it('changes no file that is wrong, is being changed, or has no room', async () => {
    await assert.rejects(keep({}, true), /tap\.config\.json has changes that are not saved/);
    assert.ok(!existsSync(file()));
    const lists = readProject(folder);
    const write = () => Promise.reject(new Error('no room'));
    await assert.rejects(keepEmitter({ folder, emitter, answers, isDirty: () => false, write }), /cannot be written: no room/);
    assert.equal(await lists, undefined);
    await keep({ startedBy: 'model' });
    assert.equal(await answer(), undefined, 'what was not written was not allowed');
    const emitters = Array.from({ length: 20 }, (_, at) => ({ name: `e${at}`, command: 'x' }));
    for (const text of ['{', '{"emitters":[{"name":"e"}]}', JSON.stringify({ emitters })]) {
      writeFileSync(file(), text);
      await assert.rejects(keep(), UserError, text);
      assert.equal(readFileSync(file(), 'utf8'), text);
    }
  });
});
