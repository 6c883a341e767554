import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import type { EmitterInput } from '../wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../wire/emitters/emitterStatus.ts';
import type { OwnerRequest, OwnerResults } from '../wire/ownerMessages.ts';
import { OwnedEmitters } from './ownedEmitters.ts';

describe('the emitters of a session, as its owner knows them', () => {
  let emitters: OwnedEmitters;
  let sent: EmitterInput[];
  /** What the gateway answers to the next start. */
  let answer: EmitterStatus;
  const request = async <M extends OwnerRequest>(_: M, params: object): Promise<OwnerResults[M]> => {
    sent.push((params as { emitter: EmitterInput }).emitter);
    return answer as never;
  };
  const status = (fields: Partial<EmitterStatus> = {}): EmitterStatus => ({
    name: 'e',
    stream: 'e',
    prompt: 'go',
    runSchedule: 'oneTime',
    eventFilter: [],
    ownership: 'userOwned',
    lifespan: 'temporary',
    startedBy: 'user',
    state: 'waiting',
    runs: 0,
    lines: { drop: 0, keep: 0, surface: 0, inject: 0 },
    injector: { enabled: true, waiting: 0, dropped: 0, isPaused: false },
    ...fields,
  });
  /** What a new gateway is asked to start. */
  const again = async () => {
    sent = [];
    emitters.startAgain((name, error) => assert.fail(`${name}: ${error}`));
    await atRest();
    return sent;
  };
  beforeEach(() => {
    [sent, answer] = [[], status()];
    emitters = new OwnedEmitters('a', request);
  });

  it('are started again as they are', async () => {
    await emitters.start({ name: 'e', prompt: 'go' });
    assert.deepEqual(await again(), [{ name: 'e', prompt: 'go', ownership: 'userOwned', autoStart: true }]);
    emitters.heard(status({ state: 'stopped', ownership: 'modelOwned' }));
    assert.deepEqual(await again(), [{ name: 'e', prompt: 'go', ownership: 'modelOwned', autoStart: false }]);
  });

  it('do not run again where they were over before the answer to the start', async () => {
    answer = status({ state: 'ended', runs: 1 });
    emitters.heard(answer);
    await emitters.start({ name: 'e', prompt: 'go' });
    assert.equal((await again())[0]?.autoStart, false);
  });

  it('do not run again where they were over as they were started again', async () => {
    await emitters.start({ name: 'e', prompt: 'go' });
    answer = status({ state: 'ended', runs: 1 });
    assert.equal((await again())[0]?.autoStart, true);
    assert.equal((await again())[0]?.autoStart, false);
  });

  it('are not started again once another one has taken their name', async () => {
    const others: Partial<EmitterStatus>[] = [
      { startedBy: 'model', ownership: 'modelOwned' },
      { prompt: 'something else' },
      { prompt: undefined as never, command: 'ls' },
    ];
    for (const other of others) {
      await emitters.start({ name: 'e', prompt: 'go' });
      emitters.heard(status(other));
      assert.deepEqual(await again(), [], JSON.stringify(other));
    }
  });
});
