import type { OwnerResults } from '../../tap/wire/owner/ownerMessages.ts';
import type { RecordsStatus } from '../../tap/wire/records/record.ts';
import type { TracesStatus } from '../../tap/wire/traces/tracesConfig.ts';
import { cleanText } from '../limits/cleanText.ts';

const LINE_LENGTH = 10_000;

/** The text that `status` prints. */
export function formatStatus(url: string, status: OwnerResults['diagnostics']): string {
  const section = (title: string, lines: string[]) =>
    `\n${title} (${lines.length})\n${lines.map((line) => `  ${oneLine(line)}\n`).join('')}`;
  return [
    `gateway ${status.version} on ${url}, pid ${status.pid}, up ${Math.round(status.uptimeMs / 1000)} s\n`,
    `connections ${status.connections}, calls waiting ${status.queuedCalls}\n`,
    section(
      'Sessions',
      status.sessions.map(
        ({ id, label, idle, ending, tools, queuedInjects, droppedInjects, judged }) =>
          `${id}  ${label}  ${ending ? 'ending' : idle ? 'idle' : 'busy'}, ${tools} tools, ${queuedInjects} injects waiting, ${droppedInjects} dropped${judged?.contradicted ? `, ${judged.contradicted} contradicted` : ''}`,
      ),
    ),
    status.sessions.length === 0
      ? "  Providers wait: open a session in VS Code with Tapline, or run Tapline's examples/owners/node.mjs.\n"
      : '',
    section(
      'Providers',
      status.providers.map(
        ({ id, name, instance, trust, sessions, tools, pendingCalls, awaitsConsent }) =>
          `${id}  ${instance ? `${name}/${instance}` : name} (${trust})  sessions: ${sessions.join(', ') || 'none'}; tools: ${tools.join(', ') || 'none'}; ${pendingCalls} calls running${awaitsConsent ? '; waits for consent' : ''}`,
      ),
    ),
    section(
      'Project providers',
      status.projectProviders.map(
        ({ sessionId, name, state, pid, error }) =>
          `${name} of ${sessionId}: ${state}${pid === undefined ? '' : `, process ${pid}`}${error ? `: ${error}` : ''}`,
      ),
    ),
    section(
      'Emitters',
      (status.emitters ?? []).map(
        ({ sessionId, name, runSchedule, state, runs, nextRunInMs, pid, lastEnd }) =>
          `${name} of ${sessionId}: ${state}, ${runSchedule}, ${runs} runs${nextRunInMs === undefined ? '' : `, the next in ${Math.ceil(nextRunInMs / 1000)} s`}${pid === undefined ? '' : `, process ${pid}`}${lastEnd === undefined ? '' : `; ${lastEnd}`}`,
      ),
    ),
    section('Records', status.records === undefined ? [] : [recordsLine(status.records)]),
    section('Traces', status.traces === undefined ? [] : tracesLines(status.traces)),
    section(
      'Counters',
      Object.entries(status.counters).map(([name, count]) => `${name}: ${count}`),
    ),
    section(
      'Last errors',
      status.lastErrors.map(({ ts, code, message, provider }) => `${ts} ${code}${provider ? ` (${provider})` : ''}: ${message}`),
    ),
  ].join('');
}

function recordsLine({ state, bytes, waiting, dropped, problem }: RecordsStatus): string {
  return `${state}, ${Math.ceil(bytes / 1024)} KiB, ${waiting} waiting, ${dropped} dropped${problem === undefined ? '' : `; ${problem}`}`;
}

function tracesLines({ isOn, content, destinations, problem }: TracesStatus): string[] {
  if (!isOn) return problem === undefined ? [] : [`off; ${problem}`];
  const after = (why: string | undefined) => (why === undefined ? '' : `; ${why}`);
  return destinations.map(
    ({ name, sent, waiting, dropped, problem: why }) =>
      `${name}${content ? ', with content' : ''}: ${sent} spans, ${waiting} waiting, ${dropped} dropped${after(why)}`,
  );
}

/** Names and errors are untrusted and must not control the terminal. */
function oneLine(text: string): string {
  return cleanText(text, LINE_LENGTH).replace(/\s/g, ' ');
}
