/** Recorded real hosts as wire logs: what the view shows of each resource is what the host last said. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { parseRecording } from '../../../src/ahp/client/recording/recording.ts';
import { ReplayedHost } from '../../../src/ahp/client/recording/replayedHost.ts';
import { reduceRecorded, type Timeline, timelineOf } from '../../../src/ahp/client/recording/recordingTimeline.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import { WireLogWriter } from '../../../src/ahp/client/recording/wireLogWriter.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { ResourceKind } from '../../../src/ahp/dialects/dialect.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { DemoHost } from '../host/demoHarness.ts';
import { eventually } from '../../fakes/eventually.ts';
import { describeShared } from '../../support/shared.ts';
import { channelTranscripts, transcriptFrames, v1Transcripts } from '../../support/transcript.ts';

describe('A session of our host that is recorded and replayed', () => {
  let host: DemoHost;
  beforeEach(async () => {
    host = new DemoHost();
    await host.start();
  });
  afterEach(() => host.stop());

  for (const begin of ['from the first frame on', 'in the middle'] as const)
    it(`is what it was over AHP 1.0, ${begin}`, async () => {
      const client = await host.client();
      const lines: string[] = [];
      const shown = new Map<string, string[]>();
      const record = () => {
        client.recordTo({ writer: new WireLogWriter((line) => lines.push(line), { clock: systemClock }), host: 'today' });
        for (const states of shown.values()) states.splice(0, states.length - 1);
      };
      if (begin === 'from the first frame on') record();
      const uri = 'demo:/recorded';
      const workingDirectories = [pathToFileURL(host.directory).href];
      await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories });
      await client.sessions.refresh();
      const session = client.session(uri);
      const chat = client.chat((await whenLive(session)).defaultChat ?? '');
      await whenLive(chat);
      for (const model of [session, chat]) shown.set(model.uri, statesOf(model));
      const below: ResourceModel<'chat'>[] = [];
      for (const text of ['run echo hello', 'ask', 'subagent', 'run echo again', 'stream 2']) {
        if (text === 'ask' && begin === 'in the middle') record();
        assert.equal((await chat.send(text).settled).kind, 'confirmed');
        const answered = text.startsWith('run') ? await approve(chat) : text === 'ask' ? await decline(chat) : undefined;
        if (answered) assert.equal(answered.kind, 'confirmed');
        await eventually(() => chat.state?.activeTurn === undefined && chat.state?.turns.at(-1)?.message.text === text, text, 30_000);
        for (const { resource } of session.state?.chats ?? [])
          if (resource !== chat.uri && below.every((known) => known.uri !== resource)) below.push(client.model('chat', resource));
        for (const model of below) await whenLive(model);
      }
      assert.equal(below.length, 1);
      await eventually(() => client.sessions.summaries[0]?.title === 'run echo hello', 'the title in the list');
      client.recordTo(undefined);
      const timeline = oneByOne(timelineOf(parseRecording(lines.join('')), 'today'));
      // What was told before arrives before the next step.
      const replayedHost = new ReplayedHost({ timeline, pause: () => new Promise((resolve) => setImmediate(resolve)), logger: nullLogger });
      const again = AgentHostClient.create({ url: 'ws://replay', transport: replayedHost.transport });
      try {
        for (const model of [client.root(), session, chat, ...below] as ResourceModel<ResourceKind>[]) {
          const seen = again.model(model.kind, model.uri);
          const states = statesOf(seen);
          await eventually(() => JSON.stringify(seen.confirmed) === JSON.stringify(model.confirmed), model.uri);
          for (const state of shown.get(model.uri) ?? []) {
            const at = states.indexOf(state);
            assert.notEqual(at, -1, `${model.uri} was never, or not in this order, ${state}`);
            states.splice(0, at);
          }
        }
        for (const part of ['pending-confirmation', '"kind":"inputRequest"'])
          assert.ok(
            shown.get(chat.uri)?.some((state) => state.includes(part)),
            part,
          );
        assert.deepEqual(again.dialect, { name: 'channels', version: '1.0.0' });
        assert.deepEqual(
          again.sessions.summaries.map(({ resource, title }) => [resource, title]),
          [[uri, 'run echo hello']],
        );
        const refused = await again.chat(chat.uri).send('help').settled;
        assert.ok(refused.kind === 'rejected' && /This is a recording/.test(refused.reason), JSON.stringify(refused));
        await assert.rejects(again.command('disposeSession', { channel: uri }), /This is a recording/);
      } finally {
        again.close();
        replayedHost.dispose();
      }
    });
});

/** All that is shown of a resource from now on, in order, without what each side sets by its own clock. */
function statesOf(model: ResourceModel<ResourceKind>): string[] {
  const states: string[] = [];
  const add = () => {
    if (model.confirmed) states.push(JSON.stringify(model.confirmed, (key, value: unknown) => (key === 'modifiedAt' ? undefined : value)));
  };
  add();
  model.onDidChange(add);
  return states;
}

/** The same, with so much time between the steps that each is shown. */
function oneByOne(timeline: Timeline): Timeline {
  const resources = [...timeline.resources].map(
    ([uri, { steps, ...one }]) =>
      [uri, { ...one, steps: steps.map((step, index) => ({ ...step, t: one.startsAt + 1000 * (index + 1) })) }] as const,
  );
  return { ...timeline, resources: new Map(resources) };
}

async function approve(chat: ChatModel) {
  const waiting = () =>
    chat.confirmed?.activeTurn?.responseParts.find((part) => part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation');
  await eventually(() => waiting() !== undefined, 'the call that waits', 30_000);
  const part = waiting();
  assert.ok(part?.kind === 'toolCall' && chat.confirmed?.activeTurn);
  return chat.approve({ turnId: chat.confirmed.activeTurn.id, toolCallId: part.toolCall.toolCallId }).settled;
}

async function decline(chat: ChatModel) {
  const waiting = () =>
    chat.confirmed?.activeTurn?.responseParts.find((part) => part.kind === 'inputRequest' && part.response === undefined);
  await eventually(() => waiting() !== undefined, 'the question', 30_000);
  const part = waiting();
  assert.ok(part?.kind === 'inputRequest');
  return chat.decline(part.request.id).settled;
}

describeShared('A transcript that is replayed without a host', (dir) => {
  let resources = 0;
  for (const name of [...v1Transcripts(dir), ...channelTranscripts(dir)]) {
    it(name, async () => {
      const timeline = timelineOf(parseRecording(readFileSync(join(dir, 'conformance/transcripts', name), 'utf8')));
      const host = new ReplayedHost({ timeline, pause: () => Promise.resolve(), logger: nullLogger });
      const client = AgentHostClient.create({ url: 'ws://replay', transport: host.transport });
      client.onDidChangeState(({ kind }) => {
        if (kind === 'reconnecting') setImmediate(() => client.reconnectNow());
      });
      try {
        const { dialect } = timeline;
        for (const [uri, { kind, first, steps }] of timeline.resources) {
          const expected = steps.reduce(
            (state, step) => ('state' in step ? step.state : reduceRecorded(dialect, kind, state, [step.action], step.t)),
            first,
          );
          const model = client.model(kind, uri);
          await eventually(() => {
            const { confirmed } = model.mirrored;
            return confirmed !== undefined && dialect.isSame(kind, confirmed, expected);
          }, uri);
          resources++;
        }
        assert.equal(client.dialect?.name, dialect.name);
        assert.equal(client.sessions.summaries.length, new Set(sessionsIn(dir, name)).size);
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

interface Announcement {
  type?: string;
  summary?: { resource: string };
}

/** Every session that the recorded host announced. */
function sessionsIn(dir: string, name: string): string[] {
  return transcriptFrames(dir, name).flatMap(({ message }) => {
    const params = (message.params ?? {}) as { notification?: Announcement } & Announcement;
    const { type = message.method, summary } = params.notification ?? params;
    const items = (message.result as { items?: { resource?: string }[] } | null | undefined)?.items ?? [];
    const added = /^(notify|root)\/sessionAdded$/.test(String(type)) && summary ? [summary] : [];
    return [...added, ...items].flatMap(({ resource }) => resource ?? []);
  });
}
