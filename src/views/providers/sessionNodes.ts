/** The sessions of this window at the gateway, with what their providers have told them. */
import * as l10n from '../../base/l10n.ts';
import type { StreamDump } from '../../tap/wire/owner/ownerMessages.ts';
import { relativeTime } from '../text/time/relativeTime.ts';
import type { WindowSession } from './facts.ts';
import { node, type ProvidersNode, WARNING } from './node.ts';
import { plainLines } from './words.ts';

const TEXT_LENGTH = 2_000;

const icons: Readonly<Record<WindowSession['lending'], NonNullable<ProvidersNode['icon']>>> = {
  waiting: { id: 'loading' },
  lending: { id: 'check' },
  otherClient: { id: 'account' },
  refused: WARNING,
};

function sessionNode(session: WindowSession, now: number): ProvidersNode {
  const { hostId, uri, sessionId, title, isForeground, lending, lendingLine, streams } = session;
  return node({
    id: `session ${sessionId}`,
    label: title,
    description: [...(isForeground ? [l10n.t('in front')] : []), lendingLine].join(' · '),
    tooltip: `${plainLines(title, TEXT_LENGTH)}\n${plainLines(lendingLine, TEXT_LENGTH)}`,
    icon: icons[lending],
    context: `session ${lending}`,
    action: 'openSession',
    subject: { kind: 'session', hostId, uri },
    ...(streams.length > 0 && { children: streams.map((stream) => streamNode(sessionId, stream, now)) }),
  });
}

function streamNode(sessionId: string, { provider, stream, entries }: StreamDump, now: number): ProvidersNode {
  const id = `stream ${JSON.stringify([sessionId, provider, stream])}`;
  return node({
    id,
    label: `${provider}: ${stream}`,
    description: entries[0] ? l10n.t`last event ${relativeTime(Date.parse(entries[0].ts), now)}` : l10n.t('no events'),
    tooltip: l10n.t`Events that ${provider} has kept in the stream ${stream}, the newest first`,
    icon: { id: 'list-flat' },
    children: entries.map(({ ts, event, level, metadata }, at) =>
      node({
        id: `${id} ${ts} ${entries.length - at}`,
        label: event,
        description: `${level} · ${relativeTime(Date.parse(ts), now)}`,
        tooltip: plainLines([ts, level, event, ...(metadata ? [JSON.stringify(metadata, undefined, 2)] : [])].join('\n'), TEXT_LENGTH),
        icon: { id: 'circle-small' },
      }),
    ),
  });
}

export function sessionsNode(sessions: readonly WindowSession[], now: number): ProvidersNode {
  return node({
    id: 'sessions',
    label: l10n.t('Sessions of this window'),
    description:
      sessions.length === 0
        ? l10n.t('none is open')
        : l10n.plural(
            sessions.length,
            l10n.t`${l10n.countText(sessions.length)} session`,
            l10n.t`${l10n.countText(sessions.length)} sessions`,
          ),
    icon: { id: 'comment-discussion' },
    children: sessions.map((session) => sessionNode(session, now)),
    isOpen: true,
  });
}
