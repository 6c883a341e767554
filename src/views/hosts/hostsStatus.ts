/** The state of all agent hosts on one line, for the status bar. */
import * as l10n from '../../base/l10n.ts';
import { withoutEnd } from '../../base/text/ends.ts';
import { connectionSentence, type HostConnectionView } from './hostConnectionView.ts';

export interface HostsStatus {
  text: string;
  /** Codicon. */
  icon: string;
  severity: 'none' | 'warning' | 'error';
  needsYou: boolean;
  /** One line for each host. */
  details: string[];
}

/** The status for a screen reader. Some of its sentences already end with a full stop. */
export function spokenStatus({ text, details }: HostsStatus): string {
  return l10n.sentencesText([`Tapline: ${text}`, ...details].map((sentence) => l10n.t`${withoutEnd(sentence, '.。')}.`));
}

/** `needsYou`: how much waits for the user, in words; undefined when nothing does. */
export function hostsStatus(
  hosts: readonly { label: string; connection: HostConnectionView }[],
  needsYou: string | undefined,
): HostsStatus {
  const details = hosts.map(({ label, connection }) => `${label}: ${connectionSentence(connection)}`);
  const connected = hosts.filter(({ connection }) => connection.connected).length;
  const failed = hosts.filter(({ connection }) => connection.failed).length;
  if (needsYou !== undefined)
    return { text: needsYou, icon: 'bell-dot', severity: 'warning', needsYou: true, details: [needsYou, ...details] };
  const base = { needsYou: false, details };
  if (hosts.length === 0) {
    return {
      ...base,
      text: l10n.t('No agent host'),
      icon: 'debug-disconnect',
      severity: 'none',
      details: [l10n.t('Add an agent host, or turn on the built-in one')],
    };
  }
  // Name a single reason. If there are several, say how many hosts are affected.
  const troubled = hosts.filter(({ connection }) => !connection.connected);
  const [only] = troubled;
  const reason = troubled.length === 1 && only?.connection.problem ? `${only.label}: ${only.connection.problem.brief}` : undefined;
  if (failed > 0) {
    return { ...base, text: reason ?? l10n.t`${failed} of ${hosts.length} hosts failed`, icon: 'debug-disconnect', severity: 'error' };
  }
  if (connected < hosts.length) {
    const text =
      hosts.length === 1 ? capitalised(hosts[0]?.connection.text ?? '') : l10n.t`${connected} of ${hosts.length} hosts connected`;
    return { ...base, text: reason ?? text, icon: reason ? 'debug-disconnect' : 'sync', severity: 'none' };
  }
  const [first] = hosts;
  const text = hosts.length === 1 && first ? l10n.t`Connected to ${first.label}` : l10n.t`Connected to ${connected} agent hosts`;
  return { ...base, text, icon: 'plug', severity: 'none' };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
