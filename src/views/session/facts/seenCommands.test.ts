import assert from 'node:assert/strict';
import type { ChatState, Turn } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { seenCommands } from './seenCommands.ts';

describe('the commands that a chat shows', () => {
  let calls = 0;
  const call = (command: unknown, more: object = {}) => ({
    kind: 'toolCall' as const,
    toolCall: {
      ...{
        toolCallId: `call ${++calls}`,
        toolName: 'bash',
        displayName: 'Shell',
        status: 'completed',
        success: true,
        confirmed: 'not-needed',
      },
      ...{ invocationMessage: 'Runs', pastTenseMessage: 'Ran', toolInput: JSON.stringify({ command }), content: [] },
      ...more,
    } as unknown as ToolCallState,
  });
  const text = (words: string) => [{ type: 'text', text: words }];
  const turn = (...responseParts: Turn['responseParts']): Turn => ({
    id: `turn ${++calls}`,
    message: { text: 'go', origin: { kind: 'user' } },
    responseParts,
    state: 'complete',
  });
  const seen = (turns: Turn[], command = 'npm test', activeTurn?: ChatState['activeTurn']) =>
    seenCommands({ turns, ...(activeTurn && { activeTurn }) }, command).map(({ exitCode, output, isCut }) => [exitCode, output, isCut]);

  it('are those with exactly this command line, the newest first', () => {
    const turns = [
      turn(call('npm test', { structuredContent: { exitCode: 1 }, content: text('1 failing') }), call('npm test -- x')),
      turn({ kind: 'markdown', id: 'm', content: 'npm test' }, call(' npm test\n', { content: text('Exit code: 0\nfine') })),
    ];
    assert.deepEqual(seen(turns), [
      [0, 'Exit code: 0\nfine', false],
      [1, '1 failing', false],
    ]);
    assert.deepEqual(seen(turns, 'ls'), []);
    const bare = { toolInput: 'npm test', content: text('3 passing'), structuredContent: { exitCode: 0 } };
    assert.deepEqual(seen([turn(call('', { ...bare, _meta: { toolKind: 'terminal' } }))]), [[0, '3 passing', false]]);
    const { state: _, ...active } = turn(call('npm test', { status: 'running' }));
    assert.deepEqual(seen(turns, 'npm test', active)[0], [undefined, '', true]);
  });

  it('are none that were not run, and nothing that is no command', () => {
    const notRun = ['streaming', 'pending-confirmation', 'cancelled'].map((status) => call('npm test', { status }));
    assert.deepEqual(seen([turn(...notRun)]), []);
    for (const toolInput of ['npm test', '[]', 'null', '{"command": 5}', '{', undefined, { uri: 'x' }])
      assert.deepEqual(seen([turn(call('', { toolInput }))]), []);
  });

  it('say where the output is not all there, and are ten at most', () => {
    const cut = [
      call('npm test', { content: text('a\n[500 characters are left out here]\nb') }),
      call('npm test', { content: [{ type: 'terminal', resource: 'x:/1', title: 't' }] }),
      call('npm test', { content: text(`${'x'.repeat(60_000)}end`) }),
    ];
    const found = seen([turn(...cut)]);
    assert.deepEqual(
      found.map(([, , isCut]) => isCut),
      [true, true, true],
    );
    assert.ok(String(found[0]?.[1]).endsWith('end') && String(found[0]?.[1]).length === 50_000);
    assert.equal(seen(Array.from({ length: 12 }, () => turn(call('npm test')))).length, 10);
  });
});
