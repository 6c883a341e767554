import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { ChildEnd } from './childGroup.ts';

/** With no descriptor left, which must not happen to the process of the tests. */
const script = `
  import { openSync } from 'node:fs';
  import { text } from 'node:stream/consumers';
  import { systemClock } from './src/base/clock.ts';
  import { ChildGroup } from './src/base/process/childGroup.ts';
  try {
    for (;;) openSync('/dev/null');
  } catch {}
  const group = new ChildGroup({ command: 'true', args: [], cwd: '/', env: {}, input: '', clock: systemClock });
  const [end, ...printed] = await Promise.all([group.ended, text(group.stdout), text(group.stderr)]);
  process.stdout.write(JSON.stringify([end, printed]));
  process.exit();
`;

describe('a group of processes', () => {
  it('that cannot have pipes has not been started, and has printed nothing', function () {
    if (process.platform === 'win32') this.skip();
    const node = ['-c', 'ulimit -n 128; exec "$@"', 'sh', process.execPath, '--import=tsx', '--input-type=module', '--eval', script];
    const said = execFileSync('/bin/sh', node, { encoding: 'utf8', timeout: 30_000 });
    const [end, printed] = JSON.parse(said) as [ChildEnd, string[]];
    assert.equal(end.kind, 'notStarted');
    assert.match(end.problem, /EMFILE/);
    assert.deepEqual(printed, ['', '']);
  });
});
