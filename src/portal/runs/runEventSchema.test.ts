import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions } from '../../../test/fakes/portalSessions.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import { PortalRuns } from '../portalRuns.ts';
import type { RunEvent } from './runEvents.ts';
import { runEvent } from './runEventSchema.ts';

const at = 1;
const taskId = 't';
/** With all fields that they may have. */
const full: RunEvent[] = [
  {
    at,
    taskId,
    type: 'taskStarted',
    taskName: 'n',
    model: 'm',
    borrowedSessionId: 's',
    sessionModel: 'n',
    approve: ['edits'],
    host: 'h',
    folder: '/f',
  },
  { at, taskId, type: 'taskSessionStarted', sessionId: 's', model: 'm', isDriving: true },
  { at, taskId, type: 'taskSessionStopped', sessionId: 's', succeeded: false },
  { at, taskId, type: 'taskPrompt', sessionId: 's', prompt: '\0' },
  { at, taskId, type: 'taskDecision', reason: 'r' },
  {
    ...{ at, taskId, type: 'taskDecision', reason: 'r' },
    answer: { about: 'call', answer: 'denied', by: 'b', tool: 't', input: 'i', reason: 'no', option: 'o' },
  },
  { at, taskId, type: 'taskDocument', sessionId: 's', path: 'a.md' },
  { at, taskId, type: 'taskUsage', used: { modelCalls: 1, toolCalls: 2, inputTokens: 3, outputTokens: 4, ms: 5 } },
  { at, taskId, type: 'taskStalled', since: 0 },
  { at, taskId, type: 'taskResumed' },
  { at, taskId, type: 'taskSucceeded' },
  { at, taskId, type: 'taskFailed', crashError: 'c', reason: 'r' },
  { at, taskId, type: 'taskStopped' },
  { at, taskId, type: 'taskInterrupted' },
  { at, type: 'workStarted', workId: 0, step: '0#0', taskId, taskName: 'n' },
  { at, type: 'workStopped', workId: 0, step: '0#0', taskId, succeeded: true, crashError: 'c' },
  { at, type: 'jobSucceeded' },
  { at, type: 'jobFailed', reason: 'r', failedSteps: ['0#1'], loopCap: 3 },
  { at, type: 'jobUsedUp', reason: 'r' },
  { at, type: 'jobStopped', by: 'b' },
  { at, type: 'jobPausing', by: 'b' },
  { at, type: 'jobPauseWithdrawn', by: 'b' },
  { at, type: 'jobPaused' },
  { at, type: 'workSkipped', workId: 0, step: '0#0', taskId, by: 'b' },
  { at, type: 'jobInterrupted' },
  {
    ...{ at, type: 'jobContinued', redo: ['0#0'], by: 'b', skipped: ['1#0'] },
    edit: { workId: 1, taskName: 'n', userInput: 'u', prompt: 'p' },
  },
  { at, type: 'jobTakenOver' },
  {
    ...{ at, type: 'resultChanged', did: 'committed', by: 'b', files: ['f'], more: 1 },
    ...{ branch: 'b', base: 'main', commit: 'c', folder: '/p', address: 'a' },
  },
  { at, type: 'worktreeMade', id: 'run', path: '/p', folder: '/p/f', branch: 'b', base: 'c', onto: 'main', uncommitted: 1 },
  { at, type: 'worktreeMerged', id: 'run', commit: 'c' },
  { at, type: 'worktreeConflict', id: '0#0', files: ['f'] },
  { at, type: 'worktreeLeft', id: 'run', commit: 'c' },
];

describe('the shape of kept events', () => {
  it('has every field', () => {
    for (const event of full) assert.deepEqual(runEvent.parse(JSON.parse(JSON.stringify(event))), event);
  });

  it('is that of what a job records, with all that its entry may have', async () => {
    const sessions = new FakeSessions(() => ({ tools: [['job_boolean_true', 'so']] }));
    const kept: RunEvent[] = [];
    const runs = new PortalRuns({ context: sessions.context(), keep: (_id, event) => void kept.push(event), tell: () => undefined });
    const criteria = {
      condition: ['Call job_boolean_true.'],
      runConditionInSameSession: false,
      failureAction: { retryTimes: 1, additionalPrompt: ['a'] },
    };
    const one = { kind: 'Ref', taskId: 'one' };
    const limits = { toolCalls: 1, modelCalls: 2, minutes: 0.5, tokens: 3, quietMinutes: 4 };
    runs.installEntry(
      validateEntry({
        models: { driving: 'm', other: 'o' },
        promptVariables: { v: ['x'] },
        hosts: { box: { folder: '/f' } },
        tasks: {
          one: { model: { id: 'i' }, prompt: ['$user-input $v'], requireUserInput: true, approve: ['edits'], criteria, limits },
          far: {
            prompt: ['p'],
            requireUserInput: false,
            host: 'box',
            availability: { previousTasks: ['one'], condition: ['job_boolean_true'] },
          },
        },
        jobs: {
          all: {
            budget: { minutes: 1.5, tokens: 2, modelCalls: 3 },
            work: {
              kind: 'Seq',
              works: [
                { kind: 'Par', works: [one, { kind: 'Ref', taskId: 'far', modelOverride: { category: 'other' } }] },
                { kind: 'Loop', body: one, preCondition: [false, one] },
                { kind: 'Loop', body: one, postCondition: [false, one] },
                { kind: 'Alt', condition: one, trueWork: one, falseWork: one },
              ],
            },
          },
        },
        grid: [],
      }),
    );
    runs.startJob('all', 'in', '/w');
    await atRest();
    assert.equal(kept.at(-1)?.type, 'jobFailed', 'far is not available');
    for (const event of kept) {
      const json: unknown = JSON.parse(JSON.stringify(event));
      assert.deepEqual(runEvent.parse(json), json);
    }
  });

  it('is no other', () => {
    for (const wrong of [
      undefined,
      null,
      {},
      { at, type: 'x' },
      { ...full[5], more: 1 },
      { at, type: 'jobFailed', reason: 'r', failedSteps: ['x'] },
    ])
      assert.ok(!runEvent.safeParse(wrong).success);
  });
});
