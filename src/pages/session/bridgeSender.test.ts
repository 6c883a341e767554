import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import type { BridgeMessage } from '../../webviews/session/protocol.ts';
import { BridgeSender } from './bridgeSender.ts';

describe('what the page of a session is told of the bridge', () => {
  it('is sent once for each change, at once, and then seldom', () => {
    const clock = new FakeClock();
    const sent: string[] = [];
    let uri: string | undefined = 'a';
    const read = (): BridgeMessage | undefined => (uri === undefined ? undefined : { type: 'bridge', uri });
    const sender = new BridgeSender(clock, read, (message) => sent.push(message.uri));
    sender.changed();
    sender.changed();
    assert.equal(sent.join(), 'a');
    for (uri of ['b', 'c', 'd']) sender.changed();
    assert.equal(sent.join(), 'a');
    clock.advance(100);
    assert.equal(sent.join(), 'a,d');
    clock.advance(100);
    sender.sendAgain();
    assert.equal(sent.join(), 'a,d,d');
    uri = undefined;
    sender.sendAgain();
    sender.dispose();
    assert.deepEqual([sent.join(), clock.pending], ['a,d,d', 0]);
  });
});
