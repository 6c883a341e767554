/** What recheck says about a pattern. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
/** In plain JavaScript. What recheck itself would prefer, a native program or Java, is not on every machine. */
const { checkSync } = require('recheck/lib/browser.js');

/** The search is bounded by work and not by time, so that a slow machine finds the same. `timeout`: only for what would hardly end, in ms. */
const PARAMETERS = { timeout: 60_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
const LINEAR = 'linear';

/** No repetition, or one of a single character and with an end: the work at each place of the text is bounded by the pattern. */
const BOUNDED = /^[^*+{]*(?:[^*+{)]\{\d+(?:,\d+)?\}[^*+{]*)?$/;

/**
 * Some judgements take seconds, and more than their limit on a crowded machine. So each is made once, kept in the sources and committed, for as
 * long as recheck is the same.
 */
const keptIn = join(import.meta.dirname, 'regexVerdicts.json');
const madeBy = `${require('recheck/package.json').version} ${JSON.stringify(PARAMETERS)}`;
let kept;
const added = {};

/** What is wrong with the pattern, in a few words; undefined where it takes no more than linear time. */
export function regexProblem(source, flags) {
  if (BOUNDED.test(source)) return undefined;
  kept ??= verdictsIn(keptIn);
  const pattern = `/${source}/${flags}`;
  const verdict = kept[pattern] ?? added[pattern] ?? firstVerdict(pattern);
  return verdict === LINEAR ? undefined : verdict;
}

/** Nobody reads the kept verdicts one by one. Says what is wrong with one of them, which is judged again, another one each time. */
export function wrongVerdict() {
  const verdicts = Object.entries(verdictsIn(keptIn));
  const [pattern, verdict] = verdicts[Math.floor(Math.random() * verdicts.length)] ?? [];
  if (pattern === undefined) return undefined;
  const now = judge(pattern);
  return now === undefined || now === verdict ? undefined : `${keptIn} says “${verdict}” of ${pattern}, which is “${now}”`;
}

function firstVerdict(pattern) {
  const verdict = judge(pattern);
  if (verdict === undefined) return 'not judged in time';
  if (Object.keys(added).length === 0) process.once('exit', keepAdded);
  return (added[pattern] = verdict);
}

/** Undefined where it was not found out: that is no verdict, and another time may bring one. */
function judge(pattern) {
  const end = pattern.lastIndexOf('/');
  const { status, complexity, error } = checkSync(pattern.slice(1, end), pattern.slice(end + 1), PARAMETERS);
  if (status === 'safe') return LINEAR;
  if (status === 'vulnerable') return complexity.summary;
  return error.kind === 'timeout' ? undefined : `unknown: ${error.message ?? error.kind}`;
}

/** The tests and the linter run side by side, so the file is read again, and it is there as a whole at any time. */
function keepAdded() {
  const verdicts = Object.entries({ ...verdictsIn(keptIn), ...added }).sort(([one], [other]) => (one < other ? -1 : 1));
  const written = `${keptIn}.${process.pid}`;
  writeFileSync(written, `${JSON.stringify({ madeBy, verdicts: Object.fromEntries(verdicts) }, undefined, 2)}\n`);
  renameSync(written, keptIn);
}

/** None where another version of recheck has made them. */
function verdictsIn(path) {
  const file = JSON.parse(readFileSync(path, 'utf8'));
  return file.madeBy === madeBy ? file.verdicts : {};
}
