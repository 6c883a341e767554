/** Folders that earlier versions have left: the states beside them are what a client of AHP v1 saw then. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatState } from '../../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../../ahp/channels/session/state.ts';
import { activityOf } from '../../../../ahp/common/status.ts';
import { grantsOf } from '../../../../ahp/grants.ts';
import { isSubagent, isSubagentOf, subagentOrigin } from '../../../../ahp/subagentUri.ts';
import type { SessionState as V1SessionState, Turn as V1Turn } from '../../../../ahp/v1/session.ts';
import { nullLogger } from '../../../../base/log.ts';
import { changesUri, chatUri } from '../../chatUris.ts';
import type { StoredChannel } from '../../stateStore.ts';
import { DurableContents } from '../durableContents.ts';
import { stateIn } from '../listedChannels.ts';
import { SessionArchive } from '../sessionArchive.ts';

const corpus = join(import.meta.dirname, '../../../../../test/fixtures/sessions/format-1');

describe('sessions that earlier versions have left', () => {
  for (const name of readdirSync(corpus)) {
    describe(`as they were ${name}`, () => {
      const states = JSON.parse(readFileSync(join(corpus, name, 'states.json'), 'utf8')) as Record<string, V1SessionState>;
      const sessions = Object.keys(states).filter((uri) => !isSubagent(uri));
      let folder: string;
      const openArchive = () => new SessionArchive({ folder, logger: nullLogger });

      beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), 'tapline-corpus-'));
        cpSync(join(corpus, name), folder, { recursive: true });
      });
      afterEach(() => rmSync(folder, { recursive: true }));

      it('are listed with what their lists showed, and with their subagents as chats', () => {
        const archive = openArchive();
        assert.deepEqual(archive.found.map(({ facts }) => facts.uri).sort(), [...sessions].sort());
        for (const { facts, listed, interrupted, unreadable } of archive.found) {
          const { summary } = stateOf(states, facts.uri);
          assert.equal(interrupted, name === 'killed');
          assert.equal(unreadable, false);
          assert.equal(facts.createdAt, summary.createdAt);
          assert.deepEqual(
            [listed.summary.title, listed.summary.provider, listed.summary.status, listed.summary.defaultChat, listed.summary.createdAt],
            [summary.title, summary.provider, summary.status, chatUri(facts.uri), new Date(summary.createdAt).toISOString()],
          );
          assert.deepEqual(listed.edits, summary.diffs ?? []);
          assert.deepEqual(listed.model, summary.model);
          assert.deepEqual(listed.chats.map(({ resource }) => resource).sort(), familyOf(states, facts.uri).map(chatUri).sort());
        }
      });

      it('open with all turns, diffs, grants, titles and messages that wait', () => {
        const archive = openArchive();
        for (const uri of sessions) assertSame(uri, states, archive.open(uri));
      });

      it('are of the new format once they were opened, and the same again', () => {
        const first = openArchive();
        const opened = sessions.map((uri) => first.open(uri));
        first.dispose();
        assert.equal(readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length, sessions.length);
        const second = openArchive();
        assert.deepEqual(
          second.found.map(({ facts }) => facts),
          first.found.map(({ facts }) => facts).sort((a, b) => order(second, a.uri) - order(second, b.uri)),
        );
        assert.deepEqual(
          sessions.map((uri) => second.open(uri)),
          opened,
        );
        assert.equal(second.highestSeq, first.highestSeq);
      });

      it('keep both sides of their edits', () => {
        const archive = openArchive();
        const contents = new DurableContents(archive);
        const edits = archive.found.flatMap(({ listed }) => listed.edits);
        for (const uri of sessions) archive.open(uri);
        for (const { before, after } of edits)
          for (const side of [before, after]) assert.ok(!side || contents.read(side.content.uri), side?.content.uri);
        assert.ok(edits.length > 0);
      });
    });
  }

  it('are there, one of each format', () => assert.ok(existsSync(join(corpus, 'rested')) && existsSync(join(corpus, 'killed'))));
});

function order(archive: SessionArchive, uri: string): number {
  return archive.found.findIndex(({ facts }) => facts.uri === uri);
}

function stateOf(states: Record<string, V1SessionState>, uri: string): V1SessionState {
  const state = states[uri];
  assert.ok(state, uri);
  return state;
}

/** The session, and those of its subagents. */
function familyOf(states: Record<string, V1SessionState>, uri: string): string[] {
  return [uri, ...Object.keys(states).filter((other) => isSubagentOf(other, uri))];
}

/** Everything of the states of AHP v1 is in the channels. */
function assertSame(uri: string, states: Record<string, V1SessionState>, channels: StoredChannel[]): void {
  const family = familyOf(states, uri);
  assert.deepEqual(
    channels.map(({ channel, kind }) => [channel, kind]),
    [[uri, 'session'], ...family.map((one) => [chatUri(one), 'chat']), [changesUri(uri), 'changeset']],
  );
  const before = stateOf(states, uri);
  const session = stateIn(channels, uri, 'session') as SessionState;
  const { title, provider, workingDirectory } = before.summary;
  assert.deepEqual(
    [session.title, session.provider, session.workingDirectories],
    [title, provider, workingDirectory && [workingDirectory]],
  );
  assert.deepEqual([session.config, session.serverTools, session.lifecycle], [before.config, before.serverTools, before.lifecycle]);
  assert.deepEqual(grantsOf(session), grantsOf(before));
  assert.deepEqual(
    stateIn(channels, changesUri(uri), 'changeset')?.files.map(({ edit }) => edit),
    before.summary.diffs ?? [],
  );
  const changes = [{ label: 'Changes of the Session', uriTemplate: changesUri(uri), changeKind: 'session', capabilities: { review: {} } }];
  assert.deepEqual(session.changesets, before.summary.diffs?.length ? changes : undefined);
  for (const name of family) assertSameChat(name, stateOf(states, name), stateIn(channels, chatUri(name), 'chat') as ChatState, session);
}

function assertSameChat(name: string, before: V1SessionState, chat: ChatState, session: SessionState): void {
  const origin = subagentOrigin(name);
  assert.deepEqual(chat.origin, origin && { kind: 'tool', chat: chatUri(origin.parent), toolCallId: origin.toolCallId });
  assert.equal(chat.interactivity, origin && 'read-only');
  assert.equal(chat.title, before.summary.title);
  assert.equal(activityOf(chat.status), activityOf(before.summary.status));
  assert.deepEqual(chat.draft?.model, before.summary.model);
  assert.equal(session.chats.find(({ resource }) => resource === chat.resource)?.title, chat.title);
  const texts = (messages: { id: string; message: { text: string } }[] | undefined) =>
    messages?.map(({ id, message }) => [id, message.text]);
  assert.deepEqual(
    texts(chat.queuedMessages),
    before.queuedMessages?.map(({ id, userMessage }) => [id, userMessage.text]),
  );
  assert.equal(chat.steeringMessage?.message.text, before.steeringMessage?.userMessage.text);
  assert.equal(chat.turns.length, before.turns.length);
  assert.equal(chat.activeTurn?.id, before.activeTurn?.id);
  const turns = [...before.turns, ...(before.activeTurn ? [before.activeTurn as V1Turn] : [])];
  for (const [index, turn] of [...chat.turns, ...(chat.activeTurn ? [chat.activeTurn] : [])].entries()) {
    const { id, userMessage, state, usage, error, responseParts } = turns[index] as V1Turn;
    assert.deepEqual([turn.id, turn.message.text, turn.usage], [id, userMessage.text, usage]);
    assert.equal('state' in turn ? turn.state : undefined, state);
    assert.deepEqual(turn.message.origin, { kind: origin ? 'tool' : 'user' });
    assert.equal(turn.message.attachments?.length, userMessage.attachments?.length);
    const parts = [
      ...responseParts,
      ...(error ? [{ kind: 'error', error }] : []),
      ...(turn === chat.activeTurn ? (before.inputRequests ?? []) : []).map((request) => ({ kind: 'inputRequest', request })),
    ];
    assert.deepEqual(turn.responseParts, JSON.parse(JSON.stringify(parts), chatsNamed));
  }
}

/** The contents of calls name chats. */
function chatsNamed(_key: string, value: unknown): unknown {
  const { type, resource } = (value ?? {}) as { type?: unknown; resource?: unknown };
  return type === 'subagent' && typeof resource === 'string' ? { ...(value as object), resource: chatUri(resource) } : value;
}
