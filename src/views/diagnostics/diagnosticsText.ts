/**
 * What a user tells the maintainers of Tapline about their installation. It is made of words of ours and of numbers: what others say, with names,
 * addresses and texts of sessions, stays here.
 */
/* eslint-disable texts/translated -- for the report */
import { counted } from '../text/counted.ts';
import { oneLine } from '../text/oneLine.ts';

export interface DiagnosedHost {
  /** Such as `embedded`. The user’s name of it stays here. */
  readonly kind: string;
  readonly dialect: { readonly name: string; readonly version: string } | undefined;
  readonly state: string;
  readonly problem: string | undefined;
  readonly sessions: number;
}

export interface DiagnosedProblem {
  readonly at: number;
  /** Where it was and what kind of failure, such as `archiveSession: UserError`. Nothing of its message. */
  readonly kind: string;
}

export interface Diagnosed {
  /** In the order in which they are shown. */
  readonly versions: Readonly<Record<string, string>>;
  readonly hosts: readonly DiagnosedHost[];
  readonly gateway: string;
  /** In the order in which they are shown. */
  readonly counts: Readonly<Record<string, number>>;
  /** In any order. */
  readonly problems: readonly DiagnosedProblem[];
}

const MAX_HOSTS = 20;
const LINE = 300;
const MAX_PROBLEMS = 30;

export function diagnosticsText({ versions, hosts, gateway, counts, problems }: Diagnosed): string {
  const list = (lines: readonly string[]) => (lines.length > 0 ? lines : ['none']).map((text) => `- ${oneLine(text, LINE)}`);
  const rows = (values: Readonly<Record<string, string | number>>) => Object.entries(values).map(([name, value]) => `${name}: ${value}`);
  const more = hosts.length - MAX_HOSTS;
  const sections: Readonly<Record<string, readonly string[]>> = {
    Versions: rows(versions),
    'Agent hosts': [...hosts.slice(0, MAX_HOSTS).map(hostLine), ...(more > 0 ? [`${more} more`] : [])],
    Gateway: [gateway],
    Counts: rows(counts),
    'Last problems': newest(problems).map(({ at, kind }) => `${new Date(at).toISOString()} ${kind}`),
  };
  return Object.entries(sections)
    .map(([title, lines]) => [`### ${title}`, ...list(lines), ''].join('\n'))
    .join('\n');
}

/** The newest last, from wherever they are. */
function newest(problems: readonly DiagnosedProblem[]): readonly DiagnosedProblem[] {
  return problems.toSorted((one, other) => one.at - other.at).slice(-MAX_PROBLEMS);
}

/** Of another program: a version, a code. What does not look like one may be a text of somebody. */
export function programWord(word: string): string {
  return /^[\w.+-]{1,40}$/.test(word) ? word : 'unknown';
}

function hostLine({ kind, dialect, state, problem, sessions }: DiagnosedHost): string {
  const speaks = dialect ? `${dialect.name} ${programWord(dialect.version)}` : 'no dialect yet';
  return [kind, speaks, state, ...(problem === undefined ? [] : [problem]), counted(sessions, 'session')].join(' · ');
}
