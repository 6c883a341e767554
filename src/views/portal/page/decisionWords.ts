/**
 * What happened in a step, as sentences. The record has texts for programs (`[CRITERIA] criteria.toolExecuted ["x"] succeeded: all of them were called.`); one that
 * is of no known form is shown as it is, so nothing of it is lost.
 */
import * as l10n from '../../../base/l10n.ts';
import { oneLine } from '../../text/oneLine.ts';
import { byText } from '../records/byText.ts';
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

/** Of records that say no more than what was decided, each as one text. */
export function reasonTexts(reasons: readonly string[]): string[] {
  return decisionLines(reasons.map((reason, at) => ({ at, reason }))).map(plainWords);
}

function readPieces(what: readonly string[]): Piece[] {
  const named = what.slice(0, MAX_NAMED).map(code);
  const rest = what.length - named.length;
  const listed = named.flatMap((name, at) => (at === 0 ? [name] : [{ text: ', ' }, name]));
  return rest > 0 ? pieced(l10n.t('Read {0} and {1} more'), listed, l10n.countText(rest)) : pieced(l10n.t('Read {0}'), listed);
}

function code(text: string): Piece {
  return { text: oneLine(text, MAX_CODE), isCode: true };
}

/** A translated sentence, with the parts in place of its `{0}`, `{1}` and so on. */
function pieced(sentence: string, ...parts: (readonly Piece[] | Piece | string)[]): Piece[] {
  return sentence.split(/(\{\d{1,4}\})/).flatMap((text) => {
    const part = /^\{\d{1,4}\}$/.test(text) ? (parts[Number(text.slice(1, -1))] ?? '') : text;
    return typeof part === 'string' ? (part === '' ? [] : [{ text: part }]) : part;
  });
}

function say(tone: Tone, sentence: string, ...parts: Parameters<typeof pieced>[1][]): Pick<DecisionWords, 'tone' | 'pieces'> {
  return { tone, pieces: pieced(sentence, ...parts) };
}

/** A text in which braces stand for themselves. */
function quote(tone: Tone, text: string): Pick<DecisionWords, 'tone' | 'pieces'> {
  return { tone, pieces: [{ text }] };
}

const UNASKED = /^\[OPERATION\] (.{1,400}?): (\S{1,200}) ran without a question, with ("[^]*")\.$/;

/** A call about which nobody was asked. `read`: what it read, where it did nothing else. */
function ranUnasked(reason: string): (Pick<DecisionWords, 'pieces' | 'who'> & { read?: string }) | undefined {
  const [, by = '', name = '', quoted = ''] = UNASKED.exec(reason) ?? [];
  if (name === '') return undefined;
  const { pieces, read } = callWords(name, parsed(quoted) ?? '');
  return { pieces, who: allowedBy(by), ...(read !== undefined && { read }) };
}

function allowedBy(by: string): string {
  if (/^approve .* of the entry$/.test(by)) return l10n.t('allowed by the entry');
  // As a record has it.
  if (by === SETTING_CHANGED) return l10n.t('allowed by a setting that was changed in the session');
  return l10n.t`allowed by ${oneLine(by, MAX_CODE)}`;
}

// eslint-disable-next-line texts/translated -- compared with a record
const SETTING_CHANGED = 'a setting that was changed in the session';

/** What calls of tools do, by parts of their names, and which of their arguments says to what. */
const verbs: readonly { name: RegExp; sentence: string; isRead?: true; of: readonly string[] }[] = [
  {
    name: /^(run_?command|run_?in_?terminal|bash|shell|powershell|exec\w*|terminal)$/i,
    sentence: l10n.t('Ran {0}'),
    of: ['command', 'cmd', 'script'],
  },
  {
    name: /^(read|view|open|cat)(_?(text_?)?file)?$/i,
    sentence: l10n.t('Read {0}'),
    isRead: true,
    of: ['path', 'filePath', 'file_path', 'file', 'uri'],
  },
  { name: /^(list|ls)(_?(dir|directory|folder|files))?$/i, sentence: l10n.t('Listed {0}'), of: ['path', 'directory', 'folder', 'dir'] },
  {
    name: /^(edit|str_?replace\w*|apply_?patch|multi_?edit|insert)(_?file)?$/i,
    sentence: l10n.t('Changed {0}'),
    of: ['path', 'filePath', 'file_path', 'file'],
  },
  { name: /^(write|create|save)(_?file)?$/i, sentence: l10n.t('Wrote {0}'), of: ['path', 'filePath', 'file_path', 'file'] },
  { name: /^(glob|grep|rg|search\w*|find\w*)$/i, sentence: l10n.t('Searched for {0}'), of: ['pattern', 'query', 'regex', 'glob'] },
  { name: /^(fetch\w*|web_?fetch|open_?url)$/i, sentence: l10n.t('Fetched {0}'), of: ['url', 'uri'] },
];

/** What a call did, from the name of its tool and its input: a command line, or JSON. */
function callWords(name: string, input: string): { pieces: Piece[]; read?: string } {
  const known = verbs.find((one) => one.name.test(name));
  const object = asObject(input);
  const what = argumentOf(name, input);
  if (known && what) return { pieces: pieced(known.sentence, code(what)), ...(known.isRead && { read: what }) };
  const values = object ? Object.values(object).filter((value) => typeof value === 'string' || typeof value === 'number') : [input];
  const rest = oneLine(values.join(', '), MAX_CODE);
  return { pieces: rest ? pieced(l10n.t('Called {0}: {1}'), code(name), rest) : pieced(l10n.t('Called {0}'), code(name)) };
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
  if (!knownAnswers.has(answer)) return undefined;
  const isRefused = refusals.has(answer);
  const subject = code(argumentOf(tool, input) ?? tool);
  const what = { answer, isRefused, input, option, ...(subject.text !== '' && { subject }) };
  const said = answerPieces(about, what);
  if (!said) return undefined;
  const pieces = reason === undefined || reason.trim() === '' ? said : pieced(l10n.t('{0}: “{1}”'), said, shownText(reason));
  return { tone: isRefused ? 'bad' : 'plain', pieces, who: l10n.t`by ${byText(by, MAX_CODE)}` };
}

interface AnswerPieces {
  answer: string;
  isRefused: boolean;
  input: string;
  option: string | undefined;
  subject?: Piece;
}

function answerPieces(about: string, { answer, isRefused, input, option, subject }: AnswerPieces): Piece[] | undefined {
  switch (about) {
    case 'call': {
      const [ofSubject, ofCall] = callAnswers[answer] ?? [];
      const sentence = subject ? ofSubject : ofCall;
      return sentence === undefined ? undefined : pieced(sentence, subject ?? '');
    }
    case 'result':
      if (!subject) return pieced(isRefused ? l10n.t('Withheld the result') : l10n.t('Shared the result'));
      return pieced(isRefused ? l10n.t('Withheld the result of {0}') : l10n.t('Shared the result of {0}'), subject);
    case 'question': {
      const sentence = questionAnswers[answer];
      return sentence === undefined ? undefined : pieced(sentence);
    }
    case 'turn':
      return pieced(l10n.t('Told the agent: “{0}”'), shownText(input));
    case 'setting':
      return option === undefined
        ? pieced(l10n.t('From now on without asking'))
        : pieced(l10n.t('From now on without asking: {0}'), oneLine(option, MAX_CODE));
    default:
      return undefined;
  }
}

const callAnswers: Readonly<Partial<Record<string, readonly [ofSubject: string, ofCall: string]>>> = {
  approved: [l10n.t('Approved {0}'), l10n.t('Approved a call')],
  denied: [l10n.t('Denied {0}'), l10n.t('Denied a call')],
  skipped: [l10n.t('Skipped {0}'), l10n.t('Skipped a call')],
  cancelled: [l10n.t('Cancelled {0}'), l10n.t('Cancelled a call')],
};
const questionAnswers: Readonly<Partial<Record<string, string>>> = {
  accepted: l10n.t('Answered the question'),
  declined: l10n.t('Declined the question'),
  cancelled: l10n.t('Cancelled the question'),
  skipped: l10n.t('Skipped the question'),
};
const refusals: ReadonlySet<string> = new Set(['denied', 'declined', 'cancelled']);
const knownAnswers: ReadonlySet<string> = new Set([...refusals, 'approved', 'skipped', 'accepted', 'changed', 'steered']);

/** What is not about a call that nobody was asked about. */
function wordsOf(reason: string): Omit<DecisionWords, 'at'> {
  const [, kind = '', text = ''] = /^\[([A-Z ]{1,40})\]\s*([^]*)$/.exec(reason) ?? [];
  switch (kind) {
    case 'TASK SUCCEEDED':
      return say('good', l10n.t('The task succeeded'));
    case 'TASK FAILED': {
      if (!text) return say('bad', l10n.t('The task failed'));
      // The reason may be that of an earlier decision.
      const earlier = limitWords(text) ?? (/^(?:criteria|availability)\./.test(text) ? wordsOf(text) : undefined);
      return say('bad', l10n.t('The task failed: {0}'), earlier?.pieces ?? shownText(text));
    }
    case 'SESSION CRASHED': {
      const [, tried, tries, why = ''] = /^Try (\d+) of (\d+): ([^]*)$/.exec(text) ?? [];
      return tried === undefined || tries === undefined
        ? say('bad', l10n.t('The session crashed: {0}'), shownText(text))
        : say('bad', l10n.t('The session crashed, try {0} of {1}: {2}'), tried, tries, shownText(why));
    }
    case 'CRITERIA':
    case 'AVAILABILITY':
      return conditionWords(text) ?? toolWords(text) ?? previousWords(text) ?? quote('plain', shownText(text));
    case 'DECISION': {
      const [, retries] = /^criteria\.failureAction\.retryTimes (\d+): no retry is left\.$/.exec(text) ?? [];
      if (retries === undefined) return limitWords(text) ?? quote('plain', shownText(text));
      return retries === '0' ? say('bad', l10n.t('It is not tried again')) : say('bad', l10n.t('No retry is left of {0}'), retries);
    }
    case 'OPERATION':
    case 'MISC': {
      const [, retry, of] = /^Retry (\d+) of (\d+)\.$/.exec(text) ?? [];
      if (retry === undefined || of === undefined) return quote('plain', shownText(text));
      return say('note', l10n.t('Retry {0} of {1}'), retry, of);
    }
    case '':
      // A reason of a step quotes the field alone.
      return (
        limitWords(reason) ?? conditionWords(reason) ?? toolWords(reason) ?? previousWords(reason) ?? quote('plain', shownText(reason))
      );
    default:
      return quote('plain', `${kind.charAt(0)}${kind.slice(1).toLowerCase()}: ${shownText(text)}`);
  }
}

const limitAmounts: ReadonlyMap<string, (count: number) => string> = new Map([
  ['toolCalls', (count) => l10n.plural(count, l10n.t`${l10n.countText(count)} tool call`, l10n.t`${l10n.countText(count)} tool calls`)],
  ['modelCalls', (count) => l10n.plural(count, l10n.t`${l10n.countText(count)} model call`, l10n.t`${l10n.countText(count)} model calls`)],
  ['minutes', (count) => l10n.plural(count, l10n.t`${l10n.countText(count)} minute`, l10n.t`${l10n.countText(count)} minutes`)],
  ['tokens', (count) => l10n.plural(count, l10n.t`${l10n.countText(count)} token`, l10n.t`${l10n.countText(count)} tokens`)],
]);

/** Which limit has ended a round, and how much it used. */
function limitWords(text: string): Omit<DecisionWords, 'at'> | undefined {
  const [, name = '', isDefault, used = '', unit = ''] =
    /^limits\.(\w{1,20}) [\d.]{1,20} is reached(, which is the default)?: the turn was stopped after ([\d,.]{1,30}) ([a-z ]{1,20}), and/.exec(
      text,
    ) ?? [];
  if (used === '') return undefined;
  const amount = limitAmounts.get(name)?.(Number(used.replaceAll(',', ''))) ?? `${used} ${unit}`;
  const sentence = isDefault ? l10n.t('Stopped after {0}, by the default of {1}') : l10n.t('Stopped after {0}, by {1}');
  return say('bad', sentence, amount, code(`limits.${name}`));
}

/** Records of earlier versions say “holds”, or leave the verdict out. */
function toolWords(text: string): Omit<DecisionWords, 'at'> | undefined {
  const [, list = '', verdict = ''] = /^criteria\.toolExecuted (\[[^\]]*\])(?: succeeded| failed)?: ([^]*)$/.exec(text) ?? [];
  const names = parsed<unknown[]>(list);
  if (!Array.isArray(names)) return undefined;
  if (verdict === 'all of them were called.')
    return say('good', names.length > 1 ? l10n.t('Criteria met: {0} were called') : l10n.t('Criteria met: {0} was called'), named(names));
  const [, missing, refused, refuser] =
    /^(?:([\w-]+(?:, [\w-]+)*) was not called)?(?:(?:^| and )([\w-]+) was refused by ((?:(?! and )[^])+))? in the last round\.$/.exec(
      verdict,
    ) ?? [];
  const tools = missing?.split(', ') ?? [];
  const isPlural = tools.length > 1;
  if (refused !== undefined && refuser !== undefined) {
    const by = byText(refuser, MAX_CODE);
    if (tools.length === 0) return say('bad', l10n.t('Criteria not met: {0} was refused by {1} in the last round'), code(refused), by);
    const sentence = isPlural
      ? l10n.t('Criteria not met: {0} were not called and {1} was refused by {2} in the last round')
      : l10n.t('Criteria not met: {0} was not called and {1} was refused by {2} in the last round');
    return say('bad', sentence, named(tools), code(refused), by);
  }
  if (tools.length === 0) return say('bad', l10n.t('Criteria not met: {0}'), shownText(verdict));
  const sentence = isPlural
    ? l10n.t('Criteria not met: {0} were not called in the last round')
    : l10n.t('Criteria not met: {0} was not called in the last round');
  return say('bad', sentence, named(tools));
}

function previousWords(text: string): Omit<DecisionWords, 'at'> | undefined {
  const [, list = '', verdict = ''] = /^availability\.previousTasks (\[[^\]]*\])(?: succeeded| failed)?: ([^]*)$/.exec(text) ?? [];
  const names = parsed<unknown[]>(list);
  if (!Array.isArray(names)) return undefined;
  if (verdict.startsWith('all of them')) {
    const sentence = names.length > 1 ? l10n.t('May run: {0} have succeeded before') : l10n.t('May run: {0} has succeeded before');
    return say('good', sentence, named(names));
  }
  const missing = parsed<unknown[]>(`[${verdict.replace(/ has not succeeded in this job\.$/, '')}]`);
  return missing
    ? say('bad', l10n.t('Does not run: {0} has not succeeded in this job'), named(missing))
    : say('bad', l10n.t('Does not run: {0}'), shownText(verdict));
}

function conditionWords(text: string): Omit<DecisionWords, 'at'> | undefined {
  const match = /^(criteria|availability)\.condition ("(?:[^"\\]|\\.)*") (holds|does not hold|succeeded|failed): ([^]*)$/.exec(text);
  if (!match) return undefined;
  const [, kind, condition = '', verdict, why = ''] = match;
  const holds = verdict === 'holds' || verdict === 'succeeded';
  const said = parsed<string>(/^job_boolean_\w+ said ("(?:[^"\\]|\\.)*")\.$/.exec(why)?.[1] ?? '');
  const words =
    said === undefined
      ? l10n.t('the agent did not answer')
      : said.trim() === ''
        ? l10n.t('the agent gave no reason')
        : l10n.t`“${shownText(said)}”`;
  return {
    ...say(holds ? 'good' : 'bad', conditionSentences[kind === 'criteria' ? 'criteria' : 'availability'][holds ? 'holds' : 'fails'], words),
    more: l10n.t`The condition: ${shownText(parsed<string>(condition) ?? condition)}`,
  };
}

const conditionSentences = {
  criteria: { holds: l10n.t('Criteria met: {0}'), fails: l10n.t('Criteria not met: {0}') },
  availability: { holds: l10n.t('May run: {0}'), fails: l10n.t('Does not run: {0}') },
};

/** “`a`, `b` and `c`” */
function named(names: readonly unknown[]): Piece[] {
  return pieced(l10n.listText(names.map((_, at) => `{${at}}`)), ...names.map((name) => code(String(name))));
}
