import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manyTurns } from '../../../../test/support/longSession.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import { nullLogger } from '../../../base/log.ts';
import type { StoredChannel } from '../stateStore.ts';
import { listedChannels } from './listedChannels.ts';
import { readOpeningFile, writeOpeningFile } from './openingFile.ts';
import { writeSummaryFile } from './summaryFile.ts';

const time = '2026-01-01T00:00:00.000Z';
const message = { text: 'Hi', origin: { kind: 'user' as const } };

function channels(more: Partial<ChatState> = {}): StoredChannel[] {
  const summary = { resource: 'chat:/a', title: '', status: 1, modifiedAt: time };
  const session = { provider: 'p', title: 'T', status: 1, lifecycle: 'ready' as const, createdAt: time, modifiedAt: time };
  const activeClients = [{ clientId: 'a', tools: [] }];
  return [
    { channel: 's:/a', kind: 'session', state: { ...session, chats: [summary], defaultChat: 'chat:/a', activeClients } },
    { channel: 'chat:/a', kind: 'chat', state: { ...summary, turns: manyTurns(60), ...more } },
  ];
}

describe('what a client sees first of a long session', () => {
  const logSize = 300_000;
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-opening-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (all: StoredChannel[], { size = logSize, seq = 7 } = {}) => {
    const facts = { uri: 's:/a', workingDirectory: '/', createdAt: 0 };
    writeFileSync(join(folder, 'log.jsonl'), Buffer.alloc(size));
    writeOpeningFile(folder, all, { logSize: size, seq }, { logger: nullLogger });
    writeSummaryFile(folder, { facts, listed: listedChannels(facts, all), logSize: size, seq }, nullLogger);
  };
  const read = () => readOpeningFile(folder, nullLogger);

  it('is the session without clients, and the newest turns of its chat', () => {
    write(channels());
    const [session, chat] = read() ?? [];
    assert.ok(session?.kind === 'session' && chat?.kind === 'chat');
    assert.deepEqual(session.state.activeClients, []);
    assert.deepEqual(chat.state.turns, manyTurns(60).slice(10));
    assert.equal(chat.state.turnsNextCursor, '10:t9');
  });

  it('has no work in the background, which ends with the host', () => {
    const work = { id: 'w', label: 'npm start', command: 'npm start', startedAt: time, kind: 'shell' as const };
    write(channels({ backgroundWork: [work] }));
    const [, chat] = read() ?? [];
    assert.ok(chat?.kind === 'chat');
    assert.equal('backgroundWork' in chat.state, false);
    assert.equal(chat.state.turns.length, 50);
  });

  it('is not kept for a short log, and where reading the log changes what is seen', () => {
    write(channels(), { size: 1_000 });
    const queuedMessages = [{ id: 'q', message }];
    for (const more of [{ queuedMessages }, { steeringMessage: { id: 'q', message } }, { activity: 'x' }]) write(channels(more));
    write(channels({ activeTurn: { id: 'a', message, responseParts: [] } }));
    assert.equal(existsSync(join(folder, 'opening.json')), false);
    assert.equal(read(), undefined);
  });

  it('does not count when the log or the summary is another one, or the file cannot be read', () => {
    const path = join(folder, 'opening.json');
    write(channels());
    const older = readFileSync(path);
    assert.ok(read());
    write(channels(), { seq: 8 });
    assert.ok(read());
    writeFileSync(path, older);
    assert.equal(read(), undefined);
    for (const content of [
      '',
      '{',
      'null',
      '{"format":2,"seq":8,"channels":[null]}',
      '{"format":2,"seq":8,"channels":[{"channel":"c","kind":"chat"}]}',
    ]) {
      writeFileSync(path, content);
      assert.equal(read(), undefined, content);
    }
    write(channels());
    writeFileSync(join(folder, 'log.jsonl'), Buffer.alloc(logSize + 1));
    assert.equal(read(), undefined);
  });
});
