/** Sessions of many turns in the folder of a host that does not run, as the host has written them. */
import type { Turn } from '../../src/ahp/channels/chat/state.ts';
import { nullLogger } from '../../src/base/log.ts';
import { chatUri } from '../../src/host/state/chatUris.ts';
import { SessionArchive } from '../../src/host/state/durable/sessionArchive.ts';
import type { StoredChannel } from '../../src/host/state/stateStore.ts';

const time = '2026-01-01T00:00:00.000Z';

export interface LongSession {
  uri: string;
  chat: string;
}

/** About 1.2 kB as JSON each. */
export function manyTurns(count: number): Turn[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    message: { text: `Question ${index}`, origin: { kind: 'user' } },
    startedAt: time,
    duration: 1000,
    responseParts: [
      { kind: 'reasoning', id: `r${index}`, content: 'Let me think about that for a moment. '.repeat(5) },
      { kind: 'markdown', id: `m${index}`, content: 'An answer with some words and `code` in it. '.repeat(20) },
    ],
    usage: { inputTokens: 1000, outputTokens: 200 },
    state: 'complete',
  }));
}

/** `name`: of the session, which is the agent's. `workingDirectory`: must be there. */
export function writeLongSession(folder: string, agent: string, name: string, turns: Turn[], workingDirectory: string): LongSession {
  const uri = `${agent}:/${name}`;
  const chat = chatUri(uri);
  const summary = { resource: chat, title: name, status: 1, modifiedAt: time };
  const channels: StoredChannel[] = [
    {
      channel: uri,
      kind: 'session',
      state: {
        ...{ provider: agent, title: name, status: 1, lifecycle: 'ready', createdAt: time, modifiedAt: time },
        ...{ chats: [summary], defaultChat: chat, activeClients: [] },
      },
    },
    { channel: chat, kind: 'chat', state: { ...summary, turns } },
  ];
  const archive = new SessionArchive({ folder, logger: nullLogger });
  archive.create({ uri, workingDirectory, createdAt: Date.parse(time) }, channels, archive.highestSeq + 10);
  archive.dispose();
  return { uri, chat };
}
