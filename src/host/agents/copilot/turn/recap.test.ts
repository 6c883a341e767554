import assert from 'node:assert/strict';
import type { ResponsePart, Turn } from '../../../../ahp/channels/chat/state.ts';
import { recapOf } from './recap.ts';

const turn = (text: string, responseParts: ResponsePart[], state: Turn['state'] = 'complete'): Turn => ({
  ...{ id: text, message: { text, origin: { kind: 'user' } }, responseParts, state },
});

describe('The recap of a conversation', () => {
  it('has what was said, done, asked and answered, and what failed', () => {
    const told = recapOf([
      turn('Begin', [
        { kind: 'markdown', id: 'm', content: 'I ask.' },
        {
          kind: 'inputRequest',
          response: 'accept',
          request: {
            ...{ id: 'r', message: 'About the project' },
            questions: [
              {
                kind: 'single-select',
                id: 'db',
                message: 'Which database?',
                options: [{ id: '0', label: 'SQLite' }],
                allowFreeformInput: true,
              },
              { kind: 'boolean', id: 'tests', message: 'Tests?' },
              { kind: 'text', id: 'name', message: 'Name?' },
            ],
            answers: {
              db: { state: 'submitted', value: { kind: 'selected', value: '0', freeformValues: ['in WAL mode'] } },
              tests: { state: 'submitted', value: { kind: 'boolean', value: true } },
              name: { state: 'skipped' },
            },
          },
        },
        {
          kind: 'toolCall',
          toolCall: {
            ...{ status: 'completed', toolCallId: 'c', toolName: 'bash', displayName: 'Run', success: true, confirmed: 'not-needed' },
            ...{ invocationMessage: '', pastTenseMessage: '', toolInput: 'ls' },
          },
        },
      ]),
      turn(
        'Go on',
        [
          { kind: 'inputRequest', request: { id: 'r', message: 'Sure?' }, response: 'decline' },
          { kind: 'inputRequest', request: { id: 'r', message: 'Open it', url: 'https://example.com' }, response: 'accept' },
          { kind: 'inputRequest', request: { id: 'r', message: 'Still there?' } },
          { kind: 'error', error: { errorType: 'ModelError', message: 'the model is away' } },
        ],
        'error',
      ),
    ]);
    const lines = told?.split('\n') ?? [];
    assert.deepEqual(lines.slice(lines.indexOf('User: Begin')), [
      ...['User: Begin', '', 'Assistant: I ask.', '[asked the user: About the project'],
      ...['Which database? — SQLite, in WAL mode', 'Tests? — true', 'Name? — skipped]', '[bash completed: ls]', ''],
      ...['User: Go on', '', 'Assistant: [asked the user: Sure? — the user declined]'],
      ...['[asked the user: Open it https://example.com — the user accepted]', '[asked the user: Still there? — no answer]'],
      ...['[error: the model is away]', '[this turn ended as error]', '</earlier_conversation>'],
    ]);
  });

  it('keeps the newest turns, and says that there were others', () => {
    const told = recapOf(
      Array.from({ length: 100 }, (_, at) => turn(`turn ${at}`, [{ kind: 'markdown', id: 'm', content: 'x'.repeat(1_000) }])),
    );
    assert.ok((told?.length ?? 0) < 41_000);
    assert.match(told ?? '', /\(Earlier turns are left out\.\)[^]*turn 99/);
    assert.doesNotMatch(told ?? '', /turn 1\n/);
    assert.equal(recapOf([]), undefined);
  });
});
