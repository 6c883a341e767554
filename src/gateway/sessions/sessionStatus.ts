import type { GatewayStatus } from '../../tap/wire/owner/ownerMessages.ts';
import type { Session } from './session.ts';

type ProviderStatus = GatewayStatus['providers'][number];
export interface SessionStatus extends Pick<GatewayStatus, 'version' | 'uptimeMs' | 'lastErrors'> {
  session: GatewayStatus['sessions'][number] | undefined;
  /** `tools`: those in this session. */
  providers: Pick<ProviderStatus, 'id' | 'name' | 'instance' | 'trust' | 'tools' | 'awaitsConsent' | 'metadata'>[];
}

/** The part of the status that a session's own model may see: the session, its providers, and errors that concern no other session. */
export function statusOf({ id: sessionId, bindings }: Session, status: GatewayStatus): SessionStatus {
  const { version, uptimeMs, sessions, providers, lastErrors } = status;
  const toolsOf = new Map([...bindings].map(({ provider, tools }) => [provider.id, [...tools.keys()]]));
  return {
    version,
    uptimeMs,
    session: sessions.find(({ id }) => id === sessionId),
    providers: providers.flatMap(({ id, name, instance, trust, awaitsConsent, metadata }) => {
      const tools = toolsOf.get(id);
      return tools ? [{ id, name, instance, trust, tools, awaitsConsent, metadata }] : [];
    }),
    lastErrors: lastErrors.filter((error) => error.sessionId === sessionId),
  };
}
