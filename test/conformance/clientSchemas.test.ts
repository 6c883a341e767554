/** The schemas of actions and commands take what real clients and hosts said to each other. */
import assert from 'node:assert/strict';
import { type ActionEnvelope, isClientDispatchable } from '../../src/ahp/v1/actions.ts';
import { clientActions } from '../../src/ahp/v1/clientActions.ts';
import { type ClientNotifications, clientNotificationParams, type Command, commandParams } from '../../src/ahp/v1/commands.ts';
import { problemOf } from '../../src/host/checks/problem.ts';
import { describeShared } from '../support/shared.ts';
import { transcriptFrames, v1Transcripts } from '../support/transcript.ts';

describeShared('the schemas of AHP v1', (dir) => {
  const frames = v1Transcripts(dir).flatMap((name) => transcriptFrames(dir, name).map((frame) => ({ ...frame, name })));

  it('take the actions of a real host, and its clients’', () => {
    let checked = 0;
    for (const { name, dir: direction, message } of frames) {
      const dispatched = direction === 'c2s' && message.method === 'dispatchAction';
      if (!dispatched && !(direction === 's2c' && message.method === 'action')) continue;
      if (dispatched) assert.equal(problemOf(clientNotificationParams.dispatchAction, message.params), undefined, name);
      const { action } = message.params as unknown as ActionEnvelope | ClientNotifications['dispatchAction'];
      if (!isClientDispatchable(action.type)) continue;
      assert.equal(problemOf(clientActions[action.type], action), undefined, `${name}: ${JSON.stringify(action)}`);
      checked++;
    }
    assert.ok(checked > 20, `${checked} actions`);
  });

  it('take the commands that a real host answers', () => {
    const answered = new Set(
      frames.flatMap(({ name, conn, dir: direction, message }) =>
        direction === 's2c' && message.result !== undefined ? [`${name} ${conn} ${String(message.id)}`] : [],
      ),
    );
    let checked = 0;
    for (const { name, conn, dir: direction, message } of frames) {
      const { method = '' } = message;
      if (direction !== 'c2s' || !answered.has(`${name} ${conn} ${String(message.id)}`) || !Object.hasOwn(commandParams, method)) continue;
      assert.equal(problemOf(commandParams[method as Command], message.params ?? {}), undefined, `${name}: ${JSON.stringify(message)}`);
      checked++;
    }
    assert.ok(checked > 20, `${checked} commands`);
  });
});
