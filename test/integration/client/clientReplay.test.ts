/** Recorded real hosts as wire logs: what the view shows of each resource is what the host last said. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { parseRecording } from '../../../src/ahp/client/recording/recording.ts';
import { ReplayedHost } from '../../../src/ahp/client/recording/replayedHost.ts';
import { sameState } from '../../../src/ahp/v1/dialect/sameState.ts';
import { reduceRecorded, timelineOf } from '../../../src/ahp/client/recording/timeline.ts';
import type { ResourceState } from '../../../src/ahp/v1/commands.ts';
import { eventually } from '../../fakes/eventually.ts';
import { describeShared } from '../../support/shared.ts';
import { transcriptFrames, v1Transcripts } from '../../support/transcript.ts';

describeShared('A transcript that is replayed without a host', (dir) => {
  let resources = 0;
  for (const name of v1Transcripts(dir)) {
    it(name, async () => {
      const timeline = timelineOf(parseRecording(readFileSync(join(dir, 'conformance/transcripts', name), 'utf8')));
      const host = new ReplayedHost({ timeline, pause: () => Promise.resolve() });
      const client = AgentHostClient.create({ url: 'ws://replay', transport: host.transport });
      client.onDidChangeState(({ kind }) => {
        if (kind === 'reconnecting') setImmediate(() => client.reconnectNow());
      });
      try {
        for (const [uri, { first, steps }] of timeline.resources) {
          const expected = steps.reduce<ResourceState>(
            (state, step) => ('state' in step ? step.state : reduceRecorded(uri, state, [step.action], step.t)),
            first,
          );
          const subscription = client.subscribe(uri);
          await eventually(() => subscription.confirmed && sameState(subscription.confirmed, expected), uri);
          resources++;
        }
        assert.equal(client.sessions.items.length, new Set(sessionsIn(dir, name)).size);
      } finally {
        client.close();
        host.dispose();
      }
    });
  }

  it('were some resources', function () {
    if (resources === 0) this.skip();
    assert.ok(resources >= 8, `${resources} resources`);
  });
});

/** Every session that the recorded host announced. */
function sessionsIn(dir: string, name: string): string[] {
  return transcriptFrames(dir, name).flatMap(({ message }) => {
    const { notification } = (message.params ?? {}) as { notification?: { type: string; summary?: { resource: string } } };
    const items = (message.result as { items?: { resource: string }[] } | null | undefined)?.items ?? [];
    const added = notification?.type === 'notify/sessionAdded' && notification.summary ? [notification.summary] : [];
    return [...added, ...items].map(({ resource }) => resource);
  });
}
