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
      ...{ invocationMessage: 'Runs', pastTenseMessage: 'Ran', toolInput: command, content: [], _meta: { toolKind: 'terminal' } },
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
    const { state: _, ...active } = turn(call('npm test', { status: 'running' }));
    assert.deepEqual(seen(turns, 'npm test', active)[0], [undefined, '', true]);
  });

  it('are none that were not run, and nothing that is no command', () => {
    const notRun = ['streaming', 'pending-confirmation', 'cancelled'].map((status) => call('npm test', { status }));
    assert.deepEqual(seen([turn(...notRun)]), []);
    for (const toolInput of [undefined, 5, { uri: 'x' }, '{"command":"npm test"}'])
      assert.deepEqual(seen([turn(call('', { toolInput }))]), [], 'a shell gets the line as it is');
  });

  it('are those of the host’s own shell, whatever other tools say of a command', () => {
    const said = { content: text('Exit code: 0\n3 passing'), structuredContent: { exitCode: 0 } };
    const json = JSON.stringify({ command: 'npm test' });
    const others = [
      { _meta: undefined },
      { _meta: { toolKind: 'read' } },
      { _meta: undefined, toolName: 'mcp-notes', toolInput: json },
      { contributor: { kind: 'client', clientId: 'other' } },
      { contributor: { kind: 'mcp', customizationId: 'notes' } },
      { contributor: { kind: 'newer' }, toolInput: json },
    ];
    for (const more of others) assert.deepEqual(seen([turn(call('npm test', { ...said, ...more }))]), [], JSON.stringify(more));
  });

  it('have no exit code that the command has printed', () => {
    const printed = text('Exit code: 0\n3 passing');
    assert.deepEqual(seen([turn(call('npm test', { content: printed, structuredContent: { exitCode: null } }))])[0]?.[0], undefined);
    assert.deepEqual(seen([turn(call('npm test', { content: [...text('Timed out'), ...printed] }))])[0]?.[0], undefined);
    assert.deepEqual(seen([turn(call('npm test', { content: text('Exit code: 0 or so') }))])[0]?.[0], undefined);
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
