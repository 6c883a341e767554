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

/** Names of what is secret, at the end of what stands before its value. */
const SECRET_NAME = /(?:token|tkn|key|secret|password|authorization)$/i;
const SCHEME = /^(?:bearer|basic)$/i;
const TOKEN_PREFIX = /^(?:own-|ptk-|ext-|tok-|gh[a-z]_|github_pat_|sk-)/;
const NAME_LENGTH = 40;
const MIN_TOKEN = 12;
/** Random characters of this number are a token. Words and the names of files of people have no such runs with letters and digits. */
const MIN_RANDOM = 24;
const LEFT_OUT = '…';

/** Exported for its test. */
export function withoutPrivate(text: string, home: string): string {
  const cut = text.slice(0, TEXT);
  return withoutSecrets(home.length > 1 ? cut.replaceAll(home, '~').replaceAll(home.replaceAll('\\', '/'), '~') : cut);
}

function withoutSecrets(text: string): string {
  let before = '';
  /** The next word is a secret. */
  let isNamed = false;
  return text.replace(/[^\s"'`&,;?(){}[\]<>]+/g, (word) => {
    const wasNamed = isNamed;
    const isSign = word === ':' || word === '=';
    isNamed = SCHEME.test(word) || (isSign && isSecretName(before)) || isSecretName(word.slice(0, -1), word.slice(-1));
    if (!isSign) before = word;
    if (isNamed || isSign) return word;
    if (wasNamed) return LEFT_OUT;
    const sign = [word.indexOf('='), word.indexOf(':')].find((at) => at > 0 && isSecretName(word.slice(0, at)));
    if (sign !== undefined) return `${word.slice(0, sign + 1)}${LEFT_OUT}`;
    return withoutUser(word).replace(/[\w+=-]+/g, (piece) => (isToken(piece) ? LEFT_OUT : piece));
  });
}

function isSecretName(name: string, sign = ':'): boolean {
  return (sign === ':' || sign === '=') && SECRET_NAME.test(name.slice(-NAME_LENGTH));
}

/** Of an address. */
function withoutUser(word: string): string {
  const begin = word.indexOf('://');
  const end = word.lastIndexOf('@');
  return begin >= 0 && end > begin ? `${word.slice(0, begin + 3)}${LEFT_OUT}${word.slice(end)}` : word;
}

function isToken(piece: string): boolean {
  if (TOKEN_PREFIX.test(piece) && piece.length >= MIN_TOKEN) return true;
  return piece.length >= MIN_RANDOM && /\d/.test(piece) && /[A-Za-z]/.test(piece);
}
