import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeSessions } from '../../../test/fakes/portalSessions.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import { PortalRuns } from '../portalRuns.ts';

/** The models of the sessions of a job whose condition is checked in a session that crashes so often. */
async function modelsOf(crashes: number, drivingSessionRetries?: object): Promise<[models: string[], status: string | undefined]> {
  let left = crashes;
  const sessions = new FakeSessions((prompt) => {
    if (!prompt.includes('job_boolean_true')) return {};
    return left-- > 0 ? { crash: new Error('gone') } : { tools: [['job_boolean_true', '']] };
  });
  const runs = new PortalRuns({ context: sessions.context(), keep: () => undefined, tell: () => undefined });
  const criteria = { condition: ['Say job_boolean_true.'], runConditionInSameSession: false, failureAction: { retryTimes: 0 } };
  const entry = {
    models: { driving: 'usual' },
    promptVariables: {},
    tasks: { work: { model: { id: 'own' }, prompt: ['work'], requireUserInput: false, criteria } },
    jobs: { job: { work: { kind: 'Ref', taskId: 'work' } } },
    grid: [],
    ...(drivingSessionRetries && { drivingSessionRetries }),
  };
  runs.installEntry(validateEntry(entry));
  const started = runs.startJob('job', '', '/w');
  assert.ok('jobId' in started);
  await atRest();
  return [sessions.started.map(({ model }) => model), runs.jobState(started.jobId)?.status];
}

describe('the models that check conditions', () => {
  it('are models.driving, five times', async () => {
    assert.deepEqual(await modelsOf(1), [['own', 'usual', 'usual'], 'Succeeded']);
    assert.deepEqual(await modelsOf(9), [['own', ...Array<string>(5).fill('usual')], 'Failed']);
    assert.deepEqual(await modelsOf(9, []), await modelsOf(9));
  });

  it('are those that the entry names, one after the other, each so often', async () => {
    const named = [
      { modelId: 'first', retries: 2 },
      { modelId: 'none', retries: 0 },
      { modelId: 'last', retries: 1 },
    ];
    assert.deepEqual(await modelsOf(0, named), [['own', 'first'], 'Succeeded']);
    assert.deepEqual(await modelsOf(2, named), [['own', 'first', 'first', 'last'], 'Succeeded']);
    assert.deepEqual(await modelsOf(9, named), [['own', 'first', 'first', 'last'], 'Failed']);
  });
});
