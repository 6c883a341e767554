/** What recheck says about a pattern. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
/** In plain JavaScript. What recheck itself would prefer, a native program or Java, is not on every machine. */
const { checkSync } = require('recheck/lib/browser.js');

/** The search is bounded by work and not by time, so that a slow machine finds the same. `timeout`: only for what would hardly end, in ms. */
const PARAMETERS = { timeout: 60_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
const LINEAR = 'linear';

/** No repetition, or one of a single character and with an end: the work at each place of the text is bounded by the pattern. */
const BOUNDED = /^[^*+{]*(?:[^*+{)]\{\d+(?:,\d+)?\}[^*+{]*)?$/;

/** Some judgements take seconds, so those of a whole run are kept here, as long as recheck is the same. */
const committedIn = join(import.meta.dirname, 'regexVerdicts.json');
/** For the next run on this computer. */
const keptIn = join(import.meta.dirname, '../../artifacts/regexVerdicts.json');
const madeBy = `${require('recheck/package.json').version} ${JSON.stringify(PARAMETERS)}`;
let kept;

/** What is wrong with the pattern, in a few words; undefined where it takes no more than linear time. */
export function regexProblem(source, flags) {
  if (BOUNDED.test(source)) return undefined;
  kept ??= readKept();
  const verdict = (kept[`/${source}/${flags}`] ??= judge(source, flags));
  return verdict === LINEAR ? undefined : verdict;
}

function judge(source, flags) {
  const { status, complexity, error } = checkSync(source, flags, PARAMETERS);
  if (status === 'safe') return LINEAR;
  return status === 'vulnerable' ? complexity.summary : `unknown: ${error.message ?? error.kind}`;
}

function readKept() {
  const verdicts = verdictsIn(keptIn) ?? committedVerdicts();
  const before = Object.keys(verdicts).length;
  process.once('exit', () => {
    if (Object.keys(verdicts).length === before) return;
    mkdirSync(dirname(keptIn), { recursive: true });
    writeFileSync(keptIn, JSON.stringify({ madeBy, verdicts }));
  });
  return verdicts;
}

/** Nobody reads them one by one, so one of them is judged again, another one each time. Throws if it is wrong. */
function committedVerdicts() {
  const verdicts = verdictsIn(committedIn) ?? {};
  const patterns = Object.keys(verdicts);
  const pattern = patterns[Math.floor(Math.random() * patterns.length)];
  if (pattern === undefined) return verdicts;
  const end = pattern.lastIndexOf('/');
  const verdict = judge(pattern.slice(1, end), pattern.slice(end + 1));
  if (verdict !== verdicts[pattern]) throw new Error(`${committedIn} says “${verdicts[pattern]}” of ${pattern}, which is “${verdict}”`);
  return verdicts;
}

function verdictsIn(path) {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8'));
    return file.madeBy === madeBy ? file.verdicts : undefined;
  } catch {
    // There is none yet, or another run writes it at this moment.
    return undefined;
  }
}
