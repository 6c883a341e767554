import assert from 'node:assert/strict';
import type { EmitterStatus } from './emitterRequest.ts';
import { nameFor } from './emitterName.ts';
import { emitterView } from './emitterView.ts';
import { everyText, scheduleText } from './scheduleWords.ts';
import { watchedText } from './watchedText.ts';

const status = (fields: Partial<EmitterStatus> = {}): EmitterStatus => ({
  ...{ name: 'tests', stream: 'tests', command: 'npm test', runSchedule: 'timed', runInterval: '5m', eventFilter: [] },
  ...{ ownership: 'userOwned', lifespan: 'temporary', startedBy: 'user', state: 'waiting', runs: 3, nextRunInMs: 42_000 },
  lines: { drop: 1, keep: 20, surface: 3, inject: 4 },
  injector: { enabled: true, waiting: 0, dropped: 0, isPaused: false },
  ...fields,
});

describe('an emitter in its panel', () => {
  it('says what it runs, when, what came of its lines, and what can be done', () => {
    const view = emitterView(status({ lastLine: 'ok' }));
    assert.deepEqual(
      [view.kind, view.text, view.state.words, view.schedule, view.next, view.lastLine, view.runs, view.startedBy],
      ['command', 'npm test', 'Waiting', 'every 5 min', 'Next run in 42 s', 'ok', '3 runs', 'Started by you'],
    );
    assert.deepEqual(view.counts, ['1 dropped', '20 kept', '3 shown to you', '4 given to the agent']);
    assert.deepEqual(view.can, { stop: true, run: true, filter: true });
  });

  it('cannot be run while it runs, and can be started again when it is over', () => {
    assert.deepEqual(emitterView(status({ state: 'running' })).can, { stop: true, run: false, filter: true });
    for (const state of ['stopped', 'ended', 'failed'] as const) {
      const view = emitterView(status({ state }));
      assert.deepEqual(view.can, { stop: false, run: true, filter: true });
      assert.equal(view.next, undefined, 'nothing comes next');
    }
  });

  it('has no lines and no filter where it sends a message', () => {
    const { command: _, ...others } = status();
    const view = emitterView({ ...others, prompt: 'check the deploy', startedBy: 'model' });
    assert.deepEqual([view.kind, view.text, view.counts, view.can.filter], ['prompt', 'check the deploy', [], false]);
    assert.equal(view.startedBy, 'Started by the agent');
  });

  it('says what the agent waits for, and what it did not get', () => {
    const waiting = (injector: Partial<EmitterStatus['injector']>) =>
      emitterView(status({ injector: { enabled: true, waiting: 0, dropped: 0, isPaused: false, ...injector } })).waiting;
    assert.equal(waiting({}), undefined);
    assert.equal(waiting({ waiting: 1 }), '1 line waits for the agent');
    assert.match(waiting({ waiting: 2, isPaused: true, dropped: 1 }) ?? '', /^2 lines wait .* · Paused until .* · 1 line did not reach/);
  });

  it('counts in the header as long as it is active', () => {
    assert.deepEqual(
      [watchedText({ active: 2, all: 3 }), watchedText({ active: 0, all: 3 }), watchedText({ active: 0, all: 0 })],
      ['Watching 2', 'Nothing watched now', undefined],
    );
  });

  it('has a schedule in words', () => {
    assert.equal(everyText('1d'), 'every day');
    assert.equal(everyText(['1d', '60m']), 'after 1 day, then every hour');
    assert.equal(everyText('48h'), 'every 2 days');
    assert.equal(everyText(['1m', '5m', '2h']), 'after 1 min, 5 min, then every 2 h');
    assert.equal(scheduleText({ runSchedule: 'continuous' }), 'runs on');
    assert.equal(scheduleText({ runSchedule: 'oneTime', maxRuns: 1 }), 'once');
    assert.equal(scheduleText({ runSchedule: 'timed', runInterval: '5m', maxRuns: 1 }), 'every 5 min, once');
    assert.equal(scheduleText({ runSchedule: 'idle', runInterval: 'idle', maxRuns: 2 }), 'each time the session is idle, 2 times');
  });

  it('is named after what it does, and as nothing else', () => {
    assert.equal(nameFor('npm run test -- --watch', []), 'npm-run-test');
    assert.equal(nameFor('npm test', ['npm-test', 'npm-test-2']), 'npm-test-3');
    assert.equal(nameFor('???', []), 'watch');
    assert.ok(nameFor('x'.repeat(500), []).length <= 64);
  });
});
