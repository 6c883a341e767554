/** What a user tells the maintainers of Tapline about their installation. It holds no token, no text of a session, and no name of the user. */
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

export interface Diagnosed {
  /** In the order in which they are shown. */
  readonly versions: Readonly<Record<string, string>>;
  readonly hosts: readonly DiagnosedHost[];
  readonly gateway: string;
  /** In the order in which they are shown. */
  readonly counts: Readonly<Record<string, number>>;
  /** The newest last. */
  readonly problems: readonly { readonly at: number; readonly text: string }[];
}

const MAX_HOSTS = 20;
const LINE = 300;
const TEXT = 20_000;

/** `home`: the user’s folder. */
export function diagnosticsText({ versions, hosts, gateway, counts, problems }: Diagnosed, home: string): string {
  const line = (text: string) => oneLine(withoutPrivate(text, home), LINE);
  const list = (lines: readonly string[]) => (lines.length > 0 ? lines : ['none']).map((text) => `- ${line(text)}`);
  const rows = (values: Readonly<Record<string, string | number>>) => Object.entries(values).map(([name, value]) => `${name}: ${value}`);
  const more = hosts.length - MAX_HOSTS;
  const sections: Readonly<Record<string, readonly string[]>> = {
    Versions: rows(versions),
    'Agent hosts': [...hosts.slice(0, MAX_HOSTS).map(hostLine), ...(more > 0 ? [`${more} more`] : [])],
    Gateway: [gateway],
    Counts: rows(counts),
    'Last problems': problems.map(({ at, text }) => `${new Date(at).toISOString()} ${text}`),
  };
  return Object.entries(sections)
    .map(([title, lines]) => [`### ${title}`, ...list(lines), ''].join('\n'))
    .join('\n')
    .slice(0, TEXT);
}

function hostLine({ kind, dialect, state, problem, sessions }: DiagnosedHost): string {
  const speaks = dialect ? `${dialect.name} ${dialect.version}` : 'no dialect yet';
  return [kind, speaks, state, ...(problem === undefined ? [] : [problem]), counted(sessions, 'session')].join(' · ');
}

/** The end of a word that is as long as a token, or says that it is one. Words and paths of people have no such runs of characters. */
const secrets: readonly RegExp[] = [
  /(?<=\b(?:bearer|basic|token|tkn|key|secret|password|authorization)\b["']?\s?[=: ]\s?["']?)[^\s"'&,;)]{4,}/gi,
  /(?<=:\/\/)[^\s/@]+@/g,
  /\b(?:own|ptk|ext|tok)-[\w-]{8,}/g,
  /\b(?:gh[a-z]_|github_pat_|sk-)[\w-]{8,}/g,
  /(?<![\w+/=-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+=-]{24,}/g,
];

/** Exported for its test. */
export function withoutPrivate(text: string, home: string): string {
  const cut = text.slice(0, TEXT);
  const atHome = home.length > 1 ? cut.replaceAll(home, '~').replaceAll(home.replaceAll('\\', '/'), '~') : cut;
  return secrets.reduce((clean, secret) => clean.replace(secret, '…'), atHome);
}
