import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { CommandDetection } from './commandDetection.ts';
import type { OutputPiece } from './shellIntegration/outputParser.ts';

describe('CommandDetection', () => {
  let now = 0;
  const detection = () => new CommandDetection(() => now);
  const run = (target: CommandDetection, ...pieces: OutputPiece[]) => pieces.flatMap((piece) => target.accept(piece));
  const data = (text: string): OutputPiece => ({ kind: 'data', text });

  it('gives each command one id, its exit code and its duration', () => {
    const target = detection();
    now = 100;
    const [executed] = run(target, { kind: 'executed', commandLine: 'ls' });
    assert.ok(executed?.kind === 'executed');
    assert.equal(executed.commandLine, 'ls');
    assert.equal(executed.timestamp, 100);
    now = 350;
    assert.deepEqual(run(target, { kind: 'finished', exitCode: 3 }), [
      { kind: 'finished', commandId: executed.commandId, exitCode: 3, durationMs: 250 },
    ]);
    const [next] = run(target, { kind: 'executed', commandLine: 'ls' });
    assert.ok(next?.kind === 'executed' && next.commandId !== executed.commandId);
  });

  it('knows no end without a start, and ends a command whose end was never told', () => {
    const target = detection();
    assert.deepEqual(run(target, { kind: 'finished', exitCode: 0 }), []);
    run(target, { kind: 'executed', commandLine: 'a' });
    const kinds = run(target, { kind: 'executed', commandLine: 'b' }).map((event) => event.kind);
    assert.deepEqual(kinds, ['finished', 'executed']);
    assert.equal(target.end(7)[0]?.kind, 'finished');
    assert.deepEqual(target.end(7), []);
  });

  const echoes: [string, string][] = [
    ['ls -l\r\n\x1b[?2004l\r', 'ls -l'],
    [' secret ü\r\n\x1b[?2004l\r', 'secret ü'],
    ['\x1b[7mpasted\x1b[27m\r\n', 'pasted'],
    ['lx\b\x1b[Ks\r\n', ''],
    ['for i in 1; do\r\n> done\r\n', ''],
  ];
  for (const [echo, commandLine] of echoes)
    it(`reads ${JSON.stringify(echo)} as ${JSON.stringify(commandLine)} when the shell does not tell the text`, () => {
      const events = run(detection(), data('prompt> '), { kind: 'promptEnd' }, data(echo), { kind: 'executed', commandLine: undefined });
      const executed = events.at(-1);
      assert.ok(executed?.kind === 'executed');
      assert.equal(executed.commandLine, commandLine);
    });

  it('believes a directory of this machine only', () => {
    const here = `file://${hostname()}/tmp/a%20b`;
    assert.deepEqual(run(detection(), { kind: 'directory', uri: here }), [{ kind: 'cwd', uri: 'file:///tmp/a%20b' }]);
    for (const uri of ['file://elsewhere.example/tmp', 'http://localhost/tmp', 'nonsense'])
      assert.deepEqual(run(detection(), { kind: 'directory', uri }), [], uri);
    assert.deepEqual(run(detection(), { kind: 'cwd', path: '/tmp/a b' }), [{ kind: 'cwd', uri: 'file:///tmp/a%20b' }]);
  });
});
