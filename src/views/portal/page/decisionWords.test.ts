import * as l10n from '../../../base/l10n.ts';
import assert from 'node:assert/strict';
import { limitDecision } from '../../../portal/limits/taskLimits.ts';
import { conditionDecision, previousTaskDecision, toolDecision, unaskedDecision } from '../../../portal/tasks/decisionTexts.ts';
import type { GivenAnswer } from '../jobData.ts';
import { decisionLines, plainWords } from './decisionWords.ts';

const lines = (...reasons: string[]) =>
  decisionLines(reasons.map((reason, at) => ({ at, reason }))).map(({ pieces, who }) =>
    [pieces.map(({ text, isCode }) => (isCode ? `\`${text}\`` : text)).join(''), ...(who === undefined ? [] : [who])].join(' · '),
  );
const unasked = (name: string, input: string, isByEntry = true) => unaskedDecision(['edits'], { name, input, isByEntry });

describe('what happened in a step, in sentences', () => {
  it('says what a call did, and who allowed it', () => {
    assert.deepEqual(lines(unasked('read_file', '{"path":"commits.txt"}')), ['Read `commits.txt` · allowed by the entry']);
    assert.deepEqual(lines(unasked('run_command', 'npm test\n')), ['Ran `npm test` · allowed by the entry']);
    assert.deepEqual(lines(unasked('bash', '{"command":"ls","description":"x"}', false)), [
      'Ran `ls` · allowed by a setting that was changed in the session',
    ]);
    assert.deepEqual(lines(unasked('job_prepare_document', '{"argument":"/a.md"}')), [
      'Called `job_prepare_document`: /a.md · allowed by the entry',
    ]);
    assert.deepEqual(lines(unasked('tick', '')), ['Called `tick` · allowed by the entry']);
  });

  it('says what a long call did, of which the end is cut', () => {
    const input = JSON.stringify({ path: 'a "b".txt', content: 'x'.repeat(2000) });
    assert.deepEqual(lines(unasked('create', input)), ['Wrote `a "b".txt` · allowed by the entry']);
    assert.match(lines(unasked('write', `{"content":"${'x'.repeat(2000)}`))[0] ?? '', /^Called `write`: \{"content":"x+/);
  });

  it('makes one sentence of what was read one after another', () => {
    const read = (path: string, isByEntry = true) => unasked('view', JSON.stringify({ path }), isByEntry);
    assert.deepEqual(lines(...['a', 'b', 'c', 'd', 'e'].map((name) => read(name)), '[MISC] x', read('f'), read('g', false)), [
      'Read `a`, `b`, `c` and 2 more · allowed by the entry',
      'x',
      'Read `f` · allowed by the entry',
      'Read `g` · allowed by a setting that was changed in the session',
    ]);
  });

  it('says what the criteria and the availability came to', () => {
    assert.deepEqual(
      lines(
        toolDecision(['job_prepare_document'], [], () => undefined),
        toolDecision(['a', 'b'], [], () => undefined),
        toolDecision(['a', 'b', 'c'], ['a', 'c'], () => undefined),
        toolDecision(['a'], ['a'], () => 'the command line'),
        toolDecision(['a', 'b'], ['a', 'b'], (tool) => (tool === 'a' ? 'the command line' : undefined)),
        '[CRITERIA] criteria.toolExecuted ["a"]: it is not known.',
        '[CRITERIA] criteria.toolExecuted ["a"]: all of them were called.',
        '[CRITERIA] criteria.condition "Is it?" holds: job_boolean_true said "yes".',
        '[CRITERIA] criteria.condition "Is it?" does not hold: job_boolean_false said "no".',
        previousTaskDecision(['build it'], []),
        previousTaskDecision(['build', 'test'], ['test']),
        conditionDecision('criteria', 'Is "it" good?', { holds: true, reason: 'it [is]' } as never),
        conditionDecision('availability', 'Is it late?', { holds: false, reason: '' } as never),
        conditionDecision('criteria', 'Is it good?', undefined),
      ),
      [
        'Criteria met: `job_prepare_document` was called',
        'Criteria met: `a` and `b` were called',
        'Criteria not met: `a` and `c` were not called in the last round',
        'Criteria not met: `a` was refused by the command line in the last round',
        'Criteria not met: `b` was not called and `a` was refused by the command line in the last round',
        'Criteria not met: it is not known.',
        'Criteria met: `a` was called',
        'Criteria met: “yes”',
        'Criteria not met: “no”',
        'May run: `build it` has succeeded before',
        'Does not run: `test` has not succeeded in this job',
        'Criteria met: “it [is]”',
        'Does not run: the agent gave no reason',
        'Criteria not met: the agent did not answer',
      ],
    );
    const [line] = decisionLines([{ at: 0, reason: conditionDecision('criteria', 'Is "it" good?', undefined) }]);
    assert.deepEqual([line?.more, line?.tone], ['The condition: Is "it" good?', 'bad']);
  });

  it('says how it went on and ended', () => {
    assert.deepEqual(
      lines(
        '[OPERATION] Retry 1 of 2.',
        '[DECISION] criteria.failureAction.retryTimes 2: no retry is left.',
        '[DECISION] criteria.failureAction.retryTimes 0: no retry is left.',
        '[SESSION CRASHED] Try 1 of 5: gone',
        '[TASK SUCCEEDED]',
        '[TASK FAILED]',
        '[TASK FAILED] gone',
        '[TASK FAILED] criteria.toolExecuted ["a"] failed: a was not called in the last round.',
        'availability.condition "Is it?" failed: job_boolean_false said "no".',
      ),
      [
        'Retry 1 of 2',
        'No retry is left of 2',
        'It is not tried again',
        'The session crashed, try 1 of 5: gone',
        'The task succeeded',
        'The task failed',
        'The task failed: gone',
        'The task failed: Criteria not met: `a` was not called in the last round',
        'Does not run: “no”',
      ],
    );
  });

  it('says which limit has ended a round', () => {
    const used = { modelCalls: 1, toolCalls: 1_501, inputTokens: 0, outputTokens: 0, ms: 0 };
    const decision = limitDecision(undefined, used) ?? '';
    assert.deepEqual(lines(decision, decision.replace('[DECISION]', '[TASK FAILED]'), limitDecision({ toolCalls: 3 }, used) ?? ''), [
      'Stopped after 1,501 tool calls, by the default of `limits.toolCalls`',
      'The task failed: Stopped after 1,501 tool calls, by the default of `limits.toolCalls`',
      'Stopped after 1,501 tool calls, by `limits.toolCalls`',
    ]);
    assert.equal(lines(decision.replace('[DECISION] ', ''))[0], 'Stopped after 1,501 tool calls, by the default of `limits.toolCalls`');
    assert.equal(
      lines(limitDecision({ minutes: 0.5 }, { ...used, toolCalls: 0, ms: 30_000 }) ?? '')[0],
      'Stopped after 0.5 minutes, by `limits.minutes`',
    );
  });

  it('says what people have answered, and why', () => {
    const answers: [GivenAnswer['about'], GivenAnswer['answer'], Partial<GivenAnswer>][] = [
      ['call', 'approved', { tool: 'bash', input: '{"command":"npm test"}' }],
      ['call', 'denied', { tool: 'deploy', input: '{}', reason: 'not on\u202e Mondays' }],
      ['call', 'skipped', {}],
      ['result', 'denied', { tool: 'read', input: '{"path":"a"}' }],
      ['question', 'accepted', {}],
      ['question', 'declined', {}],
      ['setting', 'changed', { option: 'commands' }],
      ['weather', 'changed', {}],
      ['call', 'eaten', {}],
    ];
    const words = decisionLines(
      answers.map(([about, answer, more]) => ({ at: 0, reason: '[OPERATION] x', answer: { about, answer, by: 'VS Code', ...more } })),
    );
    assert.deepEqual(
      words.map((one) => [`${one.tone} ${plainWords(one)}`, ...(one.who === undefined ? [] : [one.who])].join(' · ')),
      [
        'plain Approved npm test · by VS Code',
        'bad Denied deploy: “not onU+202E Mondays” · by VS Code',
        'plain Skipped a call · by VS Code',
        'bad Withheld the result of a · by VS Code',
        'plain Answered the question · by VS Code',
        'bad Declined the question · by VS Code',
        'plain From now on without asking: commands · by VS Code',
        'plain x',
        'plain x',
      ],
    );
  });

  it('keeps names as code where another language has another order of words', () => {
    l10n.setLanguage({ language: 'en', texts: { 'Does not run: {0} has not succeeded in this job': '{0} muss zuerst gelingen' } });
    try {
      assert.deepEqual(lines(previousTaskDecision(['build {0}'], ['build {0}'])), ['`build {0}` muss zuerst gelingen']);
    } finally {
      l10n.setLanguage({ language: 'en' });
    }
  });

  it('shows what it does not know as it is, without what cannot be seen', () => {
    assert.deepEqual(lines('[NEW KIND] a\u202eb', 'no kind', '[CRITERIA] criteria.toolExecuted nonsense: x', '[CRITERIA] other'), [
      'New kind: aU+202Eb',
      'no kind',
      'criteria.toolExecuted nonsense: x',
      'other',
    ]);
  });
});
