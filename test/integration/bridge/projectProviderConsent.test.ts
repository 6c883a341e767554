/** Whether programs of a repository run: with the real gateway, real files and real child processes. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLogger } from '../../../src/base/log.ts';
import { Answers } from '../../../src/extension/projectProviders/consentAnswers.ts';
import { type Project, readProject } from '../../../src/extension/projectProviders/project.ts';
import { ProjectProviders } from '../../../src/extension/projectProviders/projectProviders.ts';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { eventually } from '../../fakes/eventually.ts';
import { MemoryStorage } from '../../fakes/memoryStorage.ts';
import { untilGone } from '../../support/processes.ts';
import { TestGateway, TestOwner } from '../gateway/gatewayHarness.ts';

const script = join(import.meta.dirname, '../../fixtures/projectProvider.mjs');
const WAIT_MS = 15_000;

describe('The programs that a repository names', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let session: OwnedSession;
  let folder: string;
  let isTrusted: boolean;
  /** The folder is one of the workspace. */
  let isInWorkspace: boolean;
  /** Undefined: as it is. */
  let isRegistered: boolean | undefined;
  let storage: MemoryStorage;
  let asked: Project[];
  let refused: string[];
  let window: ProjectProviders;
  let answersOfWindow: Answers;
  /** Each run of a program leaves a file in the folder. */
  const mark = (name: string) => join(folder, `${name}.ran`);
  const hasRun = (name: string) => existsSync(mark(name));

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-consent-')));
    test = new TestGateway();
    await test.start();
    owner = new TestOwner(async () => ({ url: test.server.url, token: test.server.gateway.grants.ownerSecret }));
    await owner.connected();
    session = await owner.session('a');
    isTrusted = true;
    isInWorkspace = true;
    isRegistered = undefined;
    storage = new MemoryStorage();
    window = newWindow();
  });
  afterEach(async () => {
    owner.dispose();
    await test.stop();
    rmSync(folder, { recursive: true });
  });

  function newWindow(): ProjectProviders {
    asked = [];
    refused = [];
    return new ProjectProviders({
      isTrusted: () => isTrusted,
      sessions: () => [
        {
          owned: session,
          isRegistered: isRegistered ?? owner.client.state.kind === 'connected',
          folder: isInWorkspace ? folder : undefined,
        },
      ],
      answers: (answersOfWindow = new Answers(storage, 'answers')),
      ask: (project) => asked.push(project),
      onRefused: (_project, reason) => refused.push(reason),
      logger: nullLogger,
    });
  }
  function write(name: string, more: object = {}): void {
    const marking = `require('fs').writeFileSync(${JSON.stringify(mark(name))}, '')`;
    const provider = { name, command: process.execPath, args: ['-r', join(folder, 'mark.cjs'), script, 'serve', name], ...more };
    writeFileSync(join(folder, 'mark.cjs'), `${marking};`);
    writeFileSync(join(folder, 'tap.config.json'), JSON.stringify({ providers: [provider] }));
  }
  async function read(): Promise<Project> {
    const project = await readProject(folder);
    window.set(folder, project);
    return project as Project;
  }
  /** What the gateway was told to run, once everything that is under way has reached it. */
  async function running(): Promise<string[]> {
    await new Promise(setImmediate);
    const { projectProviders } = await owner.client.request('diagnostics', {});
    return projectProviders.map(({ name, state }) => `${name} ${state}`);
  }

  describe('and its emitters', () => {
    const writeEmitters = (...emitters: object[]) => writeFileSync(join(folder, 'tap.config.json'), JSON.stringify({ emitters }));
    const states = async () => (await session.emitters.list()).map(({ name, state }) => `${name} ${state}`);
    const pidOf = async (name: string) => (await session.emitters.list()).find((emitter) => emitter.name === name)?.pid;
    /** All that is under way has reached the gateway. */
    const become = (...wanted: string[]) =>
      eventually(async () => (await states()).sort().join() === wanted.join(), wanted.join() || 'no emitter', WAIT_MS);
    const watch = (name: string, more: object = {}) => ({ name, command: `echo ${name}; sleep 600`, ...more });
    beforeEach(() => session.update({ cwd: folder }));

    it('run once the user has allowed exactly this list, and are asked about again when a command changes', async () => {
      writeEmitters(watch('e'));
      const project = await read();
      window.update();
      assert.deepEqual([await states(), asked], [[], [project]]);
      await window.allow(project);
      await become('e running');
      const first = await pidOf('e');
      const [status] = await session.emitters.list();
      assert.deepEqual([status?.lifespan, status?.ownership], ['persistent', 'userOwned']);
      writeEmitters(watch('e', { command: 'echo other; sleep 600' }), watch('f'));
      const changed = await read();
      assert.equal(asked.length, 2);
      await become('e stopped');
      await untilGone(first ?? 0);
      await window.allow(changed);
      await become('e running', 'f running');
      await window.refuse(changed);
      await become('e stopped', 'f stopped');
      assert.deepEqual(refused, []);
    });

    it('go on when the window is reloaded, and end when the list has lost them meanwhile', async () => {
      writeEmitters(watch('e'), watch('f'));
      await window.allow(await read());
      await become('e running', 'f running');
      const pids = [await pidOf('e'), await pidOf('f')];
      await session.emitters.start({ name: 'own', command: 'sleep 600' });
      window = newWindow();
      window.update();
      await become('e running', 'f running', 'own running');
      await read();
      await become('e running', 'f running', 'own running');
      assert.deepEqual([await pidOf('e'), await pidOf('f')], pids);
      window = newWindow();
      writeEmitters(watch('f'));
      await window.allow(await read());
      await become('e stopped', 'f running', 'own running');
      window = newWindow();
      rmSync(join(folder, 'tap.config.json'));
      await read();
      await become('e stopped', 'f stopped', 'own running');
    });

    it('that the user has stopped stay so until a restart, and one that cannot run is told', async () => {
      writeEmitters(watch('e'), watch('later', { autoStart: false }), watch('gone', { cwd: 'nowhere' }));
      const project = await read();
      await window.allow(project);
      await become('e running', 'later stopped');
      assert.equal(refused.length, 1);
      assert.match(refused[0] ?? '', /^gone: /);
      await session.emitters.stop('e');
      window.update();
      window = newWindow();
      await read();
      await become('e stopped', 'later stopped');
      window.restart(await read());
      await become('e running', 'later stopped');
    });

    it('leave the providers of the list running when only they change', async () => {
      write('ci');
      const path = join(folder, 'tap.config.json');
      const lists = JSON.parse(readFileSync(path, 'utf8')) as object;
      writeFileSync(path, JSON.stringify({ ...lists, emitters: [watch('e')] }));
      await window.allow(await read());
      await owner.tools('a', ['where'], WAIT_MS);
      await become('e running');
      const pids = async () => (await owner.client.request('diagnostics', {})).projectProviders.map(({ pid }) => pid);
      const before = await pids();
      asked = [];
      writeFileSync(path, JSON.stringify({ ...lists, emitters: [watch('e'), watch('f')] }));
      const more = await readProject(folder);
      assert.ok(more);
      // The answer is there before the list.
      await answersOfWindow.set(more, 'run');
      await read();
      await become('e running', 'f running');
      assert.deepEqual([await running(), await pids(), asked], [['ci running'], before, []]);
    });

    it('stop with the programs when the folder is taken from the workspace, also by a window that is loaded without it', async () => {
      write('ci');
      const path = join(folder, 'tap.config.json');
      writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), emitters: [watch('e')] }));
      await window.allow(await read());
      const { pid = 0 } = await owner.next('provider/state', ({ state }) => state === 'running', WAIT_MS);
      await become('e running');
      isInWorkspace = false;
      window.update();
      await untilGone(pid);
      await become('e stopped');
      assert.deepEqual(await running(), []);
      isInWorkspace = true;
      window.update();
      await owner.tools('a', ['where'], WAIT_MS);
      await become('e running');
      isInWorkspace = false;
      window = newWindow();
      window.update();
      await become('e stopped');
    });

    it('do not run in an untrusted workspace, and stop where it is not trusted any more', async () => {
      writeEmitters(watch('e'));
      await window.allow(await read());
      await become('e running');
      isTrusted = false;
      window = newWindow();
      await read();
      await become('e stopped');
      assert.deepEqual(asked, []);
    });
  });

  it('do not run in an untrusted workspace, whatever was allowed, and are not asked about', async () => {
    write('ci');
    const project = await read();
    await window.allow(project);
    await owner.tools('a', ['where'], WAIT_MS);
    await session.stopProviders(['ci']);
    rmSync(mark('ci'));

    isTrusted = false;
    window = newWindow();
    const again = await read();
    assert.equal(await window.allow(again), false);
    window.restart(again);
    window.update();
    assert.deepEqual([await running(), asked, hasRun('ci')], [[], [], false]);

    isTrusted = true;
    window.update();
    await owner.next('provider/state', ({ state }) => state === 'running', WAIT_MS);
  });

  it('do not run before the user has answered, and are asked about once', async () => {
    write('ci');
    const project = await read();
    await read();
    window.update();
    assert.deepEqual([await running(), hasRun('ci')], [[], false]);
    assert.deepEqual(
      asked.map(({ providers }) => providers),
      [project.providers],
    );
    assert.deepEqual(window.unanswered, [project]);
    assert.equal(await window.allow(project), true);
    assert.deepEqual(window.unanswered, []);
    await owner.tools('a', ['where'], WAIT_MS);
    assert.ok(hasRun('ci'));
  });

  it('are asked about again in the next window when there was no answer, and not when there was one', async () => {
    write('ci');
    await read();
    window = newWindow();
    const project = await read();
    assert.equal(asked.length, 1);
    await window.refuse(project);
    window = newWindow();
    await read();
    assert.deepEqual([asked, await running(), hasRun('ci')], [[], [], false]);
    await window.allow(project);
    await owner.tools('a', ['where'], WAIT_MS);
    await session.stopProviders();
    window = newWindow();
    await read();
    await owner.next('provider/state', ({ state }) => state === 'running', WAIT_MS);
    assert.deepEqual(asked, []);
  });

  it('do not run when the file has changed between the question and the answer', async () => {
    write('ci');
    const shown = await read();
    write('other');
    await read();
    assert.equal(await window.allow(shown), false);
    assert.deepEqual([await running(), hasRun('ci'), hasRun('other')], [[], false, false]);
    assert.deepEqual(
      asked.map(({ providers: [provider] }) => provider?.name),
      ['ci', 'other'],
    );
    assert.equal(new Answers(storage, 'answers').of(shown), undefined, 'and nothing is kept');
  });

  it('are those that were shown, also when the file changes before they start', async () => {
    write('ci');
    const shown = await read();
    write('other');
    // The change was not seen yet.
    assert.equal(await window.allow(shown), true);
    await owner.next('provider/state', ({ name, state }) => name === 'ci' && state === 'running', WAIT_MS);
    await read();
    // What the file does not name any more ends.
    await owner.next('provider/state', ({ name, state }) => name === 'ci' && state === 'stopped', WAIT_MS);
    assert.deepEqual(await running(), []);
    assert.equal(asked.at(-1)?.providers[0]?.name, 'other');
  });

  it('end when the user says never, and when the folder names none any more', async () => {
    write('ci');
    const project = await read();
    await window.allow(project);
    const { pid = 0 } = await owner.next('provider/state', ({ state }) => state === 'running', WAIT_MS);
    await window.refuse(project);
    await untilGone(pid);
    await window.allow(project);
    const { pid: second = 0 } = await owner.next(
      'provider/state',
      ({ state, pid: other }) => state === 'running' && other !== pid,
      WAIT_MS,
    );
    rmSync(join(folder, 'tap.config.json'));
    await read();
    await untilGone(second);
    assert.deepEqual(await running(), []);
  });

  it('are started again by a restart, and a refusal of the gateway is told', async () => {
    write('ci');
    const project = await read();
    await window.allow(project);
    const { pid = 0 } = await owner.next('provider/state', ({ state }) => state === 'running', WAIT_MS);
    window.restart(project);
    await owner.next('provider/state', ({ state, pid: other }) => state === 'running' && other !== pid, WAIT_MS);
    write('ci', { cwd: 'nowhere' });
    await window.allow(await read());
    await eventually(() => refused.length === 1, 'the refusal', WAIT_MS);
    assert.match(refused[0] ?? '', /providers\.0\.cwd: .*ENOENT/);
    window.update();
    assert.deepEqual([await running(), refused.length], [[], 1]);
  });

  it('come back once with a gateway that was lost', async () => {
    write('ci');
    await window.allow(await read());
    const { pid = 0 } = await owner.next('provider/state', ({ state }) => state === 'running', WAIT_MS);
    await test.server.close(0);
    await untilGone(pid);
    window.update();
    await test.start();
    await owner.next('provider/state', ({ state, pid: other }) => state === 'running' && other !== pid, WAIT_MS);
    window.update();
    await owner.tools('a', ['where'], WAIT_MS);
    assert.deepEqual([await running(), refused, asked.length], [['ci running'], [], 1]);
  });

  it('start with the next gateway when the first one went away meanwhile', async () => {
    write('ci');
    const project = await read();
    // The window has not noticed yet.
    isRegistered = true;
    await test.server.close(0);
    await window.allow(project);
    await test.start();
    await owner.connected(WAIT_MS);
    await owner.session('b'); // so 'a' is registered too
    window.update();
    await owner.tools('a', ['where'], WAIT_MS);
    assert.deepEqual(refused, []);
  });
});
