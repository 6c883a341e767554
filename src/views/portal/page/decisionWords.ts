/**
 * What happened in a step, as sentences. The record has texts for programs (`[CRITERIA] criteria.toolExecuted ["x"] succeeded: all of them were called.`); one that
 * is of no known form is shown as it is, so nothing of it is lost.
 */
import * as l10n from '@vscode/l10n';
import { oneLine } from '../../text/oneLine.ts';
import type { Decision, GivenAnswer } from '../jobData.ts';
import { shownText } from '../shownText.ts';

/** `note`: how it went matters to nobody but the curious. */
export type Tone = 'good' | 'bad' | 'note' | 'plain';

/** A piece of a sentence. Code is a name, a command or a path. */
export interface Piece {
  text: string;
  isCode?: true;
}

export interface DecisionWords {
  /** Of the first of those that it stands for. */
  at: number;
  tone: Tone;
  pieces: Piece[];
  /** Who allowed it or answered: “allowed by the entry”, “by VS Code”. */
  who?: string;
  /** Of what was not worth a sentence, such as the whole text of a condition. */
  more?: string;
}

const MAX_CODE = 160;
/** Files that are named where several were read one after another. */
const MAX_NAMED = 3;

/** In order. What was read one after another, allowed by the same, is one sentence. */
export function decisionLines(decisions: readonly Decision[]): DecisionWords[] {
  const lines: DecisionWords[] = [];
  let reads: { line: DecisionWords; what: string[] } | undefined;
  for (const { at, reason, answer } of decisions) {
    const ran = ranUnasked(reason);
    const line = { at, ...((answer && answerWords(answer)) ?? (ran ? { tone: 'plain' as const, ...ran } : wordsOf(reason))) };
    if (!ran?.read) {
      reads = undefined;
    } else if (reads && reads.line.who === ran.who) {
      reads.what.push(ran.read);
      reads.line.pieces = readPieces(reads.what);
      continue;
    } else {
      reads = { line, what: [ran.read] };
    }
    lines.push(line);
  }
  return lines.map(({ at, tone, pieces, who, more }) => ({
    ...{ at, tone, pieces },
    ...(who !== undefined && { who }),
    ...(more !== undefined && { more }),
  }));
}

/** As one text, for a row. */
export function plainWords({ pieces }: Pick<DecisionWords, 'pieces'>): string {
  return pieces.map(({ text }) => text).join('');
}

function readPieces(what: readonly string[]): Piece[] {
  const named = what.slice(0, MAX_NAMED).map(code);
  const rest = what.length - named.length;
  return ['Read ', ...listed(named), ...(rest > 0 ? [` and ${rest} more`] : [])].map(piece);
}

/** “`a`, `b` and `c`”, or only commas where something follows. */
function listed(names: readonly Piece[]): (Piece | string)[] {
  return names.flatMap((name, at) => (at === 0 ? [name] : [', ', name]));
}

function code(text: string): Piece {
  return { text: oneLine(text, MAX_CODE), isCode: true };
}

function piece(part: Piece | string): Piece {
  return typeof part === 'string' ? { text: part } : part;
}

function say(tone: Tone, ...parts: (Piece | string)[]): Pick<DecisionWords, 'tone' | 'pieces'> {
  return { tone, pieces: parts.map(piece) };
}

const UNASKED = /^\[OPERATION\] (.{1,400}?): (\S{1,200}) ran without a question, with ("[^]*")\.$/;

/** A call about which nobody was asked. `read`: what it read, where it did nothing else. */
function ranUnasked(reason: string): (Pick<DecisionWords, 'pieces' | 'who'> & { read?: string }) | undefined {
  const [, by = '', name = '', quoted = ''] = UNASKED.exec(reason) ?? [];
  if (name === '') return undefined;
  const { pieces, read } = callWords(name, parsed(quoted) ?? '');
  const who = /^approve .* of the entry$/.test(by) ? l10n.t('allowed by the entry') : l10n.t`allowed by ${oneLine(by, MAX_CODE)}`;
  return { pieces, who, ...(read !== undefined && { read }) };
}

/** What calls of tools do, by parts of their names, and which of their arguments says to what. */
const verbs: readonly { name: RegExp; verb: string; of: readonly string[] }[] = [
  { name: /^(run_?command|run_?in_?terminal|bash|shell|powershell|exec\w*|terminal)$/i, verb: 'Ran', of: ['command', 'cmd', 'script'] },
  { name: /^(read|view|open|cat)(_?(text_?)?file)?$/i, verb: 'Read', of: ['path', 'filePath', 'file_path', 'file', 'uri'] },
  { name: /^(list|ls)(_?(dir|directory|folder|files))?$/i, verb: 'Listed', of: ['path', 'directory', 'folder', 'dir'] },
  {
    name: /^(edit|str_?replace\w*|apply_?patch|multi_?edit|insert)(_?file)?$/i,
    verb: 'Changed',
    of: ['path', 'filePath', 'file_path', 'file'],
  },
  { name: /^(write|create|save)(_?file)?$/i, verb: 'Wrote', of: ['path', 'filePath', 'file_path', 'file'] },
  { name: /^(glob|grep|rg|search\w*|find\w*)$/i, verb: l10n.t('Searched for'), of: ['pattern', 'query', 'regex', 'glob'] },
  { name: /^(fetch\w*|web_?fetch|open_?url)$/i, verb: 'Fetched', of: ['url', 'uri'] },
];

/** What a call did, from the name of its tool and its input: a command line, or JSON. */
function callWords(name: string, input: string): { pieces: Piece[]; read?: string } {
  const known = verbs.find((one) => one.name.test(name));
  const object = asObject(input);
  const what = argumentOf(name, input);
  if (known && what) return { pieces: [`${known.verb} `, code(what)].map(piece), ...(known.verb === 'Read' && { read: what }) };
  const values = object ? Object.values(object).filter((value) => typeof value === 'string' || typeof value === 'number') : [input];
  const rest = oneLine(values.join(', '), MAX_CODE);
  return { pieces: ['Called ', code(name), ...(rest ? [': ', rest] : [])].map(piece) };
}

/** To what a call does it, where its tool is known. */
function argumentOf(name: string, input: string): string | undefined {
  const known = verbs.find((one) => one.name.test(name));
  if (!known) return undefined;
  const object = asObject(input);
  return object ? firstOf(object, known.of) : input.trimStart().startsWith('{') ? cutMember(input, known.of) : input;
}

function asObject(text: string): Record<string, unknown> | undefined {
  const value: unknown = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // Long inputs are cut in the record.
    throw error;
  }
}

function firstOf(object: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => object[name]).find((value): value is string => typeof value === 'string' && value !== '');
}

/** A member of JSON whose end was cut off. */
function cutMember(text: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const key = `${JSON.stringify(name)}:`;
    const at = text.indexOf(key);
    const value = at < 0 ? undefined : textAtStart(text.slice(at + key.length).trimStart());
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The JSON text with which it begins. */
function textAtStart(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  for (let end = 1; end < text.length; end++) {
    if (text[end] === '\\') end++;
    else if (text[end] === '"') return parsed<string>(text.slice(0, end + 1));
  }
  return undefined;
}

/** What a person has answered, with the reason. Undefined for words of other versions. */
function answerWords({ about, answer, by, tool = '', input = '', reason, option }: GivenAnswer): Omit<DecisionWords, 'at'> | undefined {
  const isRefused = refusals.has(answer);
  const subject = code(argumentOf(tool, input) ?? tool);
  const of: (Piece | string)[] = subject.text === '' ? [] : [subject];
  const verb = `${answer.charAt(0).toUpperCase()}${answer.slice(1)}`;
  const parts = new Map<string, (Piece | string)[]>([
    ['call', [`${verb} `, ...(of.length > 0 ? of : [l10n.t('a call')])]],
    ['result', [isRefused ? l10n.t('Withheld the result') : l10n.t('Shared the result'), ...(of.length > 0 ? [' of ', ...of] : [])]],
    ['question', [answer === 'accepted' ? l10n.t('Answered the question') : l10n.t`${verb} the question`]],
    ['turn', [l10n.t`Told the agent: “${shownText(input)}”`]],
    ['setting', [l10n.t`From now on without asking${option === undefined ? '' : `: ${oneLine(option, MAX_CODE)}`}`]],
  ]).get(about);
  if (!parts || !knownAnswers.has(answer)) return undefined;
  const why = reason === undefined || reason.trim() === '' ? [] : [`: “${shownText(reason)}”`];
  return { ...say(isRefused ? 'bad' : 'plain', ...parts, ...why), who: `by ${oneLine(by, MAX_CODE)}` };
}

const refusals: ReadonlySet<string> = new Set(['denied', 'declined', 'cancelled']);
const knownAnswers: ReadonlySet<string> = new Set([...refusals, 'approved', 'skipped', 'accepted', 'changed', 'steered']);

/** What is not about a call that nobody was asked about. */
function wordsOf(reason: string): Omit<DecisionWords, 'at'> {
  const [, kind = '', text = ''] = /^\[([A-Z ]{1,40})\]\s*([^]*)$/.exec(reason) ?? [];
  switch (kind) {
    case 'TASK SUCCEEDED':
      return say('good', l10n.t('The task succeeded'));
    case 'TASK FAILED':
      if (!text) return say('bad', l10n.t('The task failed'));
      if (limitWords(text)) return say('bad', l10n.t('The task failed: '), ...(limitWords(text)?.pieces ?? []));
      // The reason may be that of an earlier decision.
      return say(
        'bad',
        l10n.t('The task failed: '),
        ...(/^(?:criteria|availability)\./.test(text) ? wordsOf(text).pieces : [shownText(text)]),
      );
    case 'SESSION CRASHED': {
      const [, tried, tries, why = ''] = /^Try (\d+) of (\d+): ([^]*)$/.exec(text) ?? [];
      return say(
        'bad',
        tried ? l10n.t`The session crashed, try ${tried} of ${tries}: ${shownText(why)}` : l10n.t`The session crashed: ${shownText(text)}`,
      );
    }
    case 'CRITERIA':
    case 'AVAILABILITY':
      return conditionWords(kind, text) ?? toolWords(text) ?? previousWords(text) ?? say('plain', shownText(text));
    case 'DECISION': {
      const [, retries] = /^criteria\.failureAction\.retryTimes (\d+): no retry is left\.$/.exec(text) ?? [];
      if (retries === undefined) return limitWords(text) ?? say('plain', shownText(text));
      return say('bad', retries === '0' ? l10n.t('It is not tried again') : l10n.t`No retry is left of ${retries}`);
    }
    case 'OPERATION':
    case 'MISC':
      return say(/^Retry \d+ of \d+\.$/.test(text) ? 'note' : 'plain', shownText(text.replace(/^(Retry \d+ of \d+)\.$/, '$1')));
    case '':
      // A reason of a step quotes the field alone.
      return (
        limitWords(reason) ??
        conditionWords('CRITERIA', reason) ??
        toolWords(reason) ??
        previousWords(reason) ??
        say('plain', shownText(reason))
      );
    default:
      return say('plain', `${kind.charAt(0)}${kind.slice(1).toLowerCase()}: ${shownText(text)}`);
  }
}

/** Which limit has ended a round, and how much it used. */
function limitWords(text: string): Omit<DecisionWords, 'at'> | undefined {
  const [, name = '', isDefault, used = ''] =
    /^limits\.(\w{1,20}) [\d.]{1,20} is reached(, which is the default)?: the turn was stopped after ([\d,.]{1,30} [a-z ]{1,20}), and/.exec(
      text,
    ) ?? [];
  if (used === '') return undefined;
  return say('bad', l10n.t`Stopped after ${used}, by `, ...(isDefault ? [l10n.t('the default of ')] : []), code(`limits.${name}`));
}

const VERB = ' was ';

/** Records of earlier versions say “holds”, or leave the verdict out. */
function toolWords(text: string): Omit<DecisionWords, 'at'> | undefined {
  const [, list = '', verdict = ''] = /^criteria\.toolExecuted (\[[^\]]*\])(?: succeeded| failed)?: ([^]*)$/.exec(text) ?? [];
  const names = parsed<unknown[]>(list);
  if (!Array.isArray(names)) return undefined;
  if (verdict === 'all of them were called.')
    return say('good', l10n.t('Criteria met: '), ...named(names), names.length > 1 ? l10n.t(' were called') : l10n.t(' was called'));
  const end = verdict.indexOf(VERB);
  const tools = verdict.slice(0, Math.max(0, end)).split(', ');
  if (!tools.every((name) => /^[\w-]+$/.test(name))) return say('bad', l10n.t`Criteria not met: ${shownText(verdict)}`);
  const rest = verdict.slice(end + VERB.length).replace(/\.$/, '');
  return say('bad', l10n.t('Criteria not met: '), ...named(tools), ` ${tools.length > 1 ? 'were' : 'was'} ${shownText(rest)}`);
}

function previousWords(text: string): Omit<DecisionWords, 'at'> | undefined {
  const [, list = '', verdict = ''] = /^availability\.previousTasks (\[[^\]]*\])(?: succeeded| failed)?: ([^]*)$/.exec(text) ?? [];
  const names = parsed<unknown[]>(list);
  if (!Array.isArray(names)) return undefined;
  if (verdict.startsWith('all of them')) {
    return say(
      'good',
      l10n.t('May run: '),
      ...named(names),
      names.length > 1 ? l10n.t(' have succeeded before') : l10n.t(' has succeeded before'),
    );
  }
  const missing = parsed<unknown[]>(`[${verdict.replace(/ has not succeeded in this job\.$/, '')}]`);
  return say(
    'bad',
    l10n.t('Does not run: '),
    ...(missing ? named(missing) : [shownText(verdict)]),
    ...(missing ? [l10n.t(' has not succeeded in this job')] : []),
  );
}

function conditionWords(kind: 'CRITERIA' | 'AVAILABILITY', text: string): Omit<DecisionWords, 'at'> | undefined {
  const match = /^\w+\.condition ("(?:[^"\\]|\\.)*") (holds|does not hold|succeeded|failed): ([^]*)$/.exec(text);
  if (!match) return undefined;
  const [, condition = '', verdict, why = ''] = match;
  const holds = verdict === 'holds' || verdict === 'succeeded';
  const subject =
    kind === 'CRITERIA'
      ? holds
        ? l10n.t('Criteria met')
        : l10n.t('Criteria not met')
      : holds
        ? l10n.t('May run')
        : l10n.t('Does not run');
  const said = parsed<string>(/^job_boolean_\w+ said ("(?:[^"\\]|\\.)*")\.$/.exec(why)?.[1] ?? '');
  const words =
    said === undefined
      ? l10n.t('the agent did not answer')
      : said.trim() === ''
        ? l10n.t('the agent gave no reason')
        : `“${shownText(said)}”`;
  return {
    ...say(holds ? 'good' : 'bad', `${subject}: ${words}`),
    more: l10n.t`The condition: ${shownText(parsed<string>(condition) ?? condition)}`,
  };
}

function named(names: readonly unknown[]): (Piece | string)[] {
  return names.flatMap((name, at) => (at === 0 ? [code(String(name))] : [at === names.length - 1 ? ' and ' : ', ', code(String(name))]));
}
