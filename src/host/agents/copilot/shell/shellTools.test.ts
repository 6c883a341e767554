import assert from 'node:assert/strict';
import { shellAccess } from '../permissions/permissions.ts';
import { shellRequest, shellTools } from './shellTools.ts';

const commandIn = (shellId: string) => (shellId === 'a' ? 'cat' : undefined);

describe('the shell tools of the Copilot agent', function () {
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('read what the model wants, with bounds', () => {
    const run = (args: object) => shellRequest('bash', { command: 'ls', ...args });
    assert.deepEqual(run({}), { verb: 'run', command: 'ls', shellId: undefined, wait: 30_000 });
    assert.deepEqual(run({ mode: 'async', shellId: 'a' }), { verb: 'run', command: 'ls', shellId: 'a', wait: 1_000 });
    assert.deepEqual(run({ initial_wait: 1e9, shellId: '' }), { verb: 'run', command: 'ls', shellId: undefined, wait: 600_000 });
    assert.deepEqual(run({ initial_wait: -1 }), { verb: 'run', command: 'ls', shellId: undefined, wait: 0 });
    assert.deepEqual(shellRequest('read_bash', { shellId: 'a', delay: '5' }), { verb: 'read', shellId: 'a', wait: 0 });
    assert.deepEqual(shellRequest('write_bash', { shellId: 'a', input: 'y{enter}' }), {
      verb: 'write',
      shellId: 'a',
      input: 'y{enter}',
      wait: 2_000,
    });
    assert.deepEqual(shellRequest('list_bash', undefined), { verb: 'list' });
    assert.equal(shellRequest('bash_client', { command: 'ls' }), undefined);
  });

  it('say what is missing', () => {
    for (const args of [undefined, 'ls', {}, { command: 5 }, { command: '' }])
      assert.throws(() => shellRequest('bash', args), /bash needs command/);
    assert.throws(() => shellRequest('write_bash', { shellId: 'a' }), /needs input/);
    assert.throws(() => shellAccess('bash', {}, commandIn), /bash needs command/);
  });

  it('refuse a text of which the shell or the program would get another', () => {
    for (const command of ['echo a\0b', 'echo \ud800'])
      assert.throws(() => shellAccess('bash', { command }, commandIn), /cannot hold U\+0000 or half a surrogate pair/);
    assert.throws(() => shellAccess('write_bash', { shellId: 'a', input: 'x\udc00' }, commandIn), /Half a surrogate pair/);
    assert.equal(shellAccess('bash', { command: 'echo 😀\u202e\u0001' }, commandIn)?.kind, 'command');
    assert.equal(shellAccess('write_bash', { shellId: 'a', input: '😀\0' }, commandIn)?.kind, 'input');
  });

  it('need permission to run and to type, for exactly that', () => {
    assert.deepEqual(shellAccess('bash', { command: 'ls' }, commandIn), { kind: 'command', text: 'ls' });
    const input = { kind: 'input', text: 'y' };
    assert.deepEqual(shellAccess('write_bash', { shellId: 'a', input: 'y' }, commandIn), { ...input, shellId: 'a', command: 'cat' });
    assert.deepEqual(shellAccess('write_bash', { shellId: 'b', input: 'y' }, commandIn), { ...input, shellId: 'b', command: undefined });
    assert.equal(shellAccess('read_bash', { shellId: 'a', delay: 0 }, commandIn), undefined);
    assert.equal(shellAccess('zoo', { command: 'ls' }, commandIn), undefined);
    const unasked = shellTools(async () => '' as never).filter(({ skipPermission }) => skipPermission);
    assert.deepEqual(
      unasked.map(({ name }) => name),
      ['read_bash', 'stop_bash', 'list_bash'],
    );
  });

  it('take the place of the engine’s', () => {
    assert.ok(shellTools(async () => '' as never).every(({ overridesBuiltInTool }) => overridesBuiltInTool));
  });
});
