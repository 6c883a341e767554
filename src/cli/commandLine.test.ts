import assert from 'node:assert/strict';
import { CliError } from './cliError.ts';
import { commandLine } from './commandLine.ts';

describe('the command line of tapline', () => {
  const refused = (...args: string[]) => {
    try {
      commandLine(args);
    } catch (error) {
      assert.ok(error instanceof CliError);
      assert.equal(error.code, 2);
      return error.message;
    }
    return assert.fail(`${args.join(' ')} was taken`);
  };

  it('takes the flags of the command, and those of all', () => {
    const { values, positionals } = commandLine(['commit', 'RUN', '--branch', 'night', '--yes', '--json', '--url', 'x']);
    assert.deepEqual([positionals, values.branch, values.yes, values.json, values.url], [['commit', 'RUN'], 'night', true, true, 'x']);
    assert.equal(commandLine(['logs', 'RUN', '-f']).values.follow, true);
  });

  it('refuses those of others, which would do nothing', () => {
    assert.equal(refused('commit', 'RUN', '--title', 'T'), '“tapline commit” takes no --title. It is for: pull-request. Nothing was done.');
    assert.equal(refused('stop', 'RUN', '--yes'), '“tapline stop” takes no --yes. It is for: commit, pull-request. Nothing was done.');
    assert.match(refused('jobs', '-f'), /takes no --follow\. It is for: logs\./);
    assert.match(refused('job', 'NAME', '--folder=/w', '--model', 'm'), /takes no --model\. It is for: run\./);
  });

  it('refuses what there is not, and one word too many', () => {
    assert.match(refused('ps', '--nothing'), /--nothing/);
    assert.equal(refused('skip', 'RUN', '1', '2'), '“2” is one argument too many.');
  });

  it('leaves help and an unknown command to whoever asks', () => {
    assert.equal(commandLine(['commit', '--title', 'T', '--help']).values.help, true);
    for (const command of ['nothing', 'constructor']) assert.deepEqual(commandLine([command, '--title', 'T']).positionals, [command]);
  });
});
