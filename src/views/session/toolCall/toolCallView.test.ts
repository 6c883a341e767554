import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandText } from '../../../../test/support/commands.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { toolCallView, toolInput } from './toolCallView.ts';
import { runs } from '../../../../test/support/runs.ts';

const base = { toolCallId: 'c', toolName: 'bash', displayName: 'Bash' };
const said = (call: ToolCallState, ms?: number) => {
  const view = toolCallView(call, ms);
  return [view.phase, [view.summary.map((part) => (part.code ? `\`${part.text}\`` : part.text)).join(''), ...view.facts].join(' · ')];
};

describe('toolCallView', () => {
  it('says in one line what a command did', () => {
    const call: ToolCallState = {
      ...base,
      status: 'completed',
      confirmed: 'not-needed',
      success: false,
      invocationMessage: 'Running',
      pastTenseMessage: { markdown: 'Ran `npm test`' },
      content: [
        { type: 'terminal', resource: 'agenthost-terminal:/1', title: 'Bash' },
        { type: 'text', text: 'Exit code: 1\nfailed' },
      ],
    };
    assert.deepEqual(said(call, 12_000), ['failed', 'Ran `npm test` · exit 1 · 12 s']);
    const ours = { ...call, success: true, content: call.content?.slice(0, 1), structuredContent: { exitCode: 0 } };
    assert.deepEqual(said(ours), ['done', 'Ran `npm test` · exit 0']);
    assert.equal(toolCallView(ours).structured, undefined);
    assert.equal(toolCallView({ ...ours, structuredContent: { exitCode: 0, more: 1 } }).structured, '{\n  "more": 1\n}');
  });

  it('says how long it ran as the host says it, or as it was seen', () => {
    const call = { ...base, status: 'completed', confirmed: 'not-needed', success: true, invocationMessage: '', pastTenseMessage: 'Ran' };
    const of = (more: object, ms?: number) => said({ ...call, ...more } as ToolCallState, ms)[1];
    assert.deepEqual(
      [of({ duration: 61_000 }, 12_000), of({ duration: 61_000 }), of({}, 12_000)],
      ['Ran · 1 min 1 s', 'Ran · 1 min 1 s', 'Ran · 12 s'],
    );
    for (const duration of [-1, Number.NaN, Infinity, 'long']) assert.equal(of({ duration }, 12_000), 'Ran · 12 s');
  });

  it('reads no exit code into the text of other tools', () => {
    const call: ToolCallState = {
      ...base,
      status: 'completed',
      confirmed: 'not-needed',
      success: true,
      invocationMessage: '',
      pastTenseMessage: 'Read log.txt',
      content: [{ type: 'text', text: 'Exit code: 1' }],
    };
    assert.deepEqual(said(call), ['done', 'Read log.txt']);
  });

  it('names every state, and falls back to the tool’s name', () => {
    const confirmed = 'not-needed' as const;
    const invocationMessage = '';
    const result = { success: true, pastTenseMessage: '' };
    assert.deepEqual(said({ ...base, status: 'streaming', partialInput: '{"a"' }), ['writing', 'Bash']);
    assert.deepEqual(said({ ...base, status: 'pending-confirmation', invocationMessage: 'Running ls' }), ['waiting', 'Running ls']);
    assert.deepEqual(said({ ...base, status: 'running', invocationMessage, confirmed }), ['running', 'Bash']);
    assert.deepEqual(said({ ...base, status: 'pending-result-confirmation', invocationMessage, confirmed, ...result }), [
      'resultWaiting',
      'Bash',
    ]);
    assert.deepEqual(said({ ...base, status: 'cancelled', invocationMessage, reason: 'denied', reasonMessage: 'Not now' }), [
      'denied',
      'Denied: Bash',
    ]);
    const denied = {
      ...base,
      status: 'cancelled',
      invocationMessage,
      reason: 'denied',
      reasonMessage: { markdown: '**Not** now' },
    } as const;
    assert.equal(toolCallView(denied).reason, 'Not now');
    assert.equal(toolCallView({ ...denied, reasonMessage: 'x'.repeat(2_000) }).reason?.length, 1_001);
    const link = { markdown: 'Creating [new.txt](file:///tmp/new.txt)' };
    assert.deepEqual(said({ ...base, status: 'running', invocationMessage: link, confirmed }), ['running', 'Creating new.txt']);
    // Hosts leave their words of when it was about to run.
    const about = { invocationMessage: { markdown: 'Running `rm -r build`' }, reason: 'denied' } as const;
    assert.deepEqual(said({ ...base, status: 'cancelled', ...about }), ['denied', 'Denied: Running `rm -r build`']);
    assert.deepEqual(said({ ...base, status: 'cancelled', invocationMessage, reason: 'skipped' }), ['skipped', 'No result: Bash']);
    assert.deepEqual(said({ ...base, status: 'cancelled', invocationMessage, reason: 'result-denied' }), [
      'withheld',
      'Result withheld: Bash',
    ]);
    assert.deepEqual(said({ ...base, displayName: '', status: 'dreaming' as never }), ['unknown', 'bash · unknown status (dreaming)']);
  });
});

describe('toolInput', () => {
  it('sets a command and a URL apart and leaves nothing out', () => {
    assert.deepEqual(toolInput('{"command":"ls","cwd":"/tmp"}'), { command: 'ls', rest: '/tmp', restName: 'Cwd' });
    assert.equal(toolInput('{"url":"https://a.example/?b"}').url, 'https://a.example/?b');
    assert.equal(toolInput('{"command":["ls"]}').rest, '{\n  "command": [\n    "ls"\n  ]\n}');
    assert.deepEqual(toolInput('{"old_path":"a\\nb"}'), { rest: 'a\nb', restName: 'Old path' });
    assert.equal(toolInput('{\n  "a": "1",\n  "b": "2"\n}').rest, '{\n  "a": "1",\n  "b": "2"\n}');
    assert.equal(toolInput('{"a\u202eb":"1"}').restName, undefined);
  });

  it('leaves a text whole that a parser would change', () => {
    for (const raw of [
      '{"command":"$(touch X)","command":"npm test"}',
      '{"a":{"b":1,"b":2}}',
      '{"n":12345678901234567890}',
      '{"n":1e999}',
      '{"a":"\\u0041"}',
      '{"b":1,"1":2}',
      '{ "command" :"ls"}',
      ' {"command":"ls"}',
      '{ls;}',
      '["ls"]',
      'ls -l',
    ])
      assert.deepEqual(toolInput(raw), { rest: raw });
  });

  it('never takes for JSON what a shell or a program gets', () => {
    const raw = '{"command":"$(touch X)"}';
    assert.deepEqual(toolInput(raw, 'terminal'), { command: raw });
    assert.deepEqual(toolInput(raw, 'typing'), { rest: raw, restName: 'What is typed' });
    const call = {
      ...base,
      status: 'pending-confirmation',
      invocationMessage: '',
      toolInput: raw,
      _meta: { toolKind: 'terminal' },
    } as const;
    assert.deepEqual(toolCallView(call).input, { command: raw });
  });

  it('shows what is being written as any tool’s', () => {
    const call = { ...base, status: 'streaming', partialInput: '{"command":"npm te', _meta: { toolKind: 'terminal' } } as const;
    assert.deepEqual(toolCallView(call).input, { rest: '{"command":"npm te' });
  });

  it('has all of any text in its parts', () => {
    fc.assert(
      fc.property(commandText, (raw) => {
        const { command, url, rest, restName } = toolInput(raw);
        if (rest === raw) return;
        // Taken apart: put together it is the same text, but for the order of its members and the spaces between them.
        const left = rest === undefined ? {} : restName === undefined ? (JSON.parse(rest) as object) : { [keyOf(raw, rest)]: rest };
        const together = { ...(command !== undefined && { command }), ...(url !== undefined && { url }), ...left };
        const sorted = (text: string) => [...text.replace(/\s/g, '')].sort().join('');
        assert.equal(sorted(JSON.stringify(together)), sorted(raw));
      }),
      { numRuns: runs(2000) },
    );
    function keyOf(raw: string, value: string): string {
      return Object.entries(JSON.parse(raw) as object).find(([key, member]) => key !== 'command' && key !== 'url' && member === value)![0];
    }
  });
});
