import assert from 'node:assert/strict';
import type { ToolCallState } from '../../ahp/v1/toolCall.ts';
import { toolCallView, toolInput } from './toolCallView.ts';

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
      'Bash · denied · Not now',
    ]);
    assert.deepEqual(said({ ...base, status: 'cancelled', invocationMessage, reason: 'skipped' }), ['skipped', 'Bash · skipped']);
    assert.deepEqual(said({ ...base, status: 'cancelled', invocationMessage, reason: 'result-denied' }), [
      'withheld',
      'Bash · result withheld',
    ]);
    assert.deepEqual(said({ ...base, displayName: '', status: 'dreaming' as never }), ['unknown', 'bash · unknown status (dreaming)']);
  });
});

describe('toolInput', () => {
  it('sets a command and a URL apart and leaves nothing out', () => {
    assert.deepEqual(toolInput('{"command":"ls","cwd":"/tmp"}', true), {
      raw: '{"command":"ls","cwd":"/tmp"}',
      command: 'ls',
      rest: '/tmp',
      restName: 'Cwd',
      language: 'json',
    });
    assert.equal(toolInput('{"url":"https://a.example/?b"}', false).url, 'https://a.example/?b');
    assert.equal(toolInput('{"command":["ls"]}', true).rest, '{\n  "command": [\n    "ls"\n  ]\n}');
  });
  it('takes a bare text as the command of a terminal, and as the input of other tools', () => {
    assert.equal(toolInput('ls -l', true).command, 'ls -l');
    assert.deepEqual(toolInput('{"old_path":"a\\nb"}', false), {
      raw: '{"old_path":"a\\nb"}',
      rest: 'a\nb',
      restName: 'Old path',
      language: 'json',
    });
    assert.equal(toolInput('{"a":"1","b":"2"}', false).rest, '{\n  "a": "1",\n  "b": "2"\n}');
    assert.equal(toolInput('{"a\u202eb":"1"}', false).restName, undefined);
    assert.equal(toolInput('{ls;}', false).rest, '{ls;}');
  });
});
