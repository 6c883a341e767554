// The findings of a scanner, from a SARIF file, as tools: list them, look at one with its code, and mark what is a false positive.
// How to run it: README.md in the folder around this one.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, renameSync, rmSync, statSync, watchFile, writeFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createProvider, ToolError } from 'tapline/provider';

const [given, file = 'results.sarif'] = process.argv.slice(2);
if (!given) {
  console.error('Usage: node sarifTriage.mjs FOLDER [FILE]');
  process.exit(2);
}
const folder = realpathSync(given);
const sarif = resolve(folder, file);
/** Beside it, for people to read, change and commit: what was marked, by the id of the finding. */
const sidecar = `${sarif}.triage.json`;
/** Bytes of files, characters of a text, and lines around the code of a finding. */
const MOST = { sarif: 100_000_000, code: 2_000_000, text: 4000, around: 5 };
const levels = ['error', 'warning', 'note', 'none'];

const schema = (properties, required = []) => ({ type: 'object', required, properties, additionalProperties: false });
const reads = { readOnlyHint: true, openWorldHint: false };
const id = { type: 'string', description: 'From sarif_findings' };
const tools = [
  {
    name: 'sarif_findings',
    description: `Lists findings of ${file}, the worst first: at most 50, and none that is marked as a false positive, unless you say otherwise`,
    parameters: schema({
      rule: { type: 'string' },
      level: { enum: levels },
      file: { type: 'string', description: 'A part of its path' },
      marked: { type: 'boolean', description: 'Those that are marked instead' },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
    }),
    annotations: reads,
    run: (args) => listed(args),
  },
  {
    name: 'sarif_finding',
    description: 'Shows one finding: what its rule is about, and the code around it as it is now',
    parameters: schema({ id }, ['id']),
    annotations: reads,
    run: (args) => ({ ...found(args.id), marked: readMarks()[args.id], code: codeOf(found(args.id)) }),
  },
  {
    name: 'sarif_mark_false_positive',
    description: `Marks a finding as a false positive in ${file}.triage.json, with the reason. Only for what you have looked at`,
    parameters: schema({ id, reason: { type: 'string', minLength: 10, maxLength: 1000 } }, ['id', 'reason']),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run(args) {
      const { rule, path } = found(args.id);
      const marks = { ...readMarks(), [args.id]: { rule, path, reason: args.reason, at: new Date().toISOString() } };
      // So nobody reads half of it. A link of that name is not followed.
      rmSync(`${sidecar}.new`, { force: true });
      writeFileSync(`${sidecar}.new`, `${JSON.stringify(marks, undefined, 2)}\n`, { flag: 'wx' });
      renameSync(`${sidecar}.new`, sidecar);
      return { marked: args.id, open: open().length };
    },
  },
];

const isFinding = ({ kind = 'fail', suppressions = [] }) =>
  !['pass', 'notApplicable'].includes(kind) && !suppressions.some(({ status = 'accepted' }) => status === 'accepted');
/** By id. */
let findings = new Map();

function readFindings() {
  if (statSync(sarif).size > MOST.sarif) throw new Error(`${sarif} is too large`);
  const read = new Map();
  for (const { tool, results } of JSON.parse(readFileSync(sarif, 'utf8')).runs)
    for (const result of (results ?? []).filter(isFinding)) {
      const { rules = [] } = tool.driver;
      const about = rules[result.ruleIndex] ?? rules.find((rule) => rule.id === result.ruleId);
      const at = result.locations?.[0]?.physicalLocation;
      const finding = {
        rule: result.ruleId ?? about?.id ?? 'unknown',
        level: result.level ?? about?.defaultConfiguration?.level ?? 'warning',
        path: at?.artifactLocation?.uri ?? '',
        line: at?.region?.startLine ?? 1,
        endLine: at?.region?.endLine ?? at?.region?.startLine ?? 1,
        message: (result.message.text ?? about?.messageStrings?.[result.message.id]?.text ?? '').slice(0, MOST.text),
        help: (about?.fullDescription ?? about?.shortDescription)?.text?.slice(0, MOST.text),
      };
      // A finding that has moved with its lines is the same where the scanner says so.
      const key = JSON.stringify([finding.rule, finding.path, finding.message, result.partialFingerprints ?? finding.line]);
      read.set(createHash('sha256').update(key).digest('hex').slice(0, 12), finding);
    }
  return read;
}

function found(wanted) {
  const finding = findings.get(wanted);
  if (!finding) throw new ToolError('NOT_FOUND', `${file} has no finding ${wanted} (any more)`);
  return { id: wanted, ...finding };
}
const readMarks = () => {
  try {
    return JSON.parse(readFileSync(sidecar, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw new Error(`${sidecar} cannot be read, and is left as it is: ${error.message}`);
  }
};
const open = (marks = readMarks()) => [...findings.keys()].filter((one) => !Object.hasOwn(marks, one));

function listed({ rule, level, file: part = '', marked = false, limit = 50 }) {
  const marks = readMarks();
  const fits = [...findings]
    .filter(([key]) => Object.hasOwn(marks, key) === marked)
    .filter(([, one]) => one.path.includes(part) && one.rule === (rule ?? one.rule) && one.level === (level ?? one.level))
    .sort(([, one], [, other]) => levels.indexOf(one.level) - levels.indexOf(other.level));
  const byRule = {};
  for (const [, one] of fits) byRule[one.rule] = (byRule[one.rule] ?? 0) + 1;
  const shown = fits.slice(0, limit).map(([key, one]) => ({ id: key, ...one, message: one.message.slice(0, 300), help: undefined }));
  return { found: fits.length, byRule, shown };
}

/** A path in the file may lead anywhere. */
function codeOf({ path, line, endLine }) {
  const real = realpathSync(fileURLToPath(new URL(path, pathToFileURL(folder + sep))));
  if (!real.startsWith(folder + sep)) throw new ToolError('OUTSIDE', `${path} is not in the folder`);
  if (statSync(real).size > MOST.code) throw new ToolError('TOO_LARGE', `${path} is too large`);
  const first = Math.max(1, line - MOST.around);
  const all = readFileSync(real, 'utf8').split('\n');
  const lines = all.slice(first - 1, Math.min(endLine, line + 50) + MOST.around);
  const mark = (at) => (at >= line && at <= endLine ? '>' : ' ');
  return lines.map((text, index) => `${mark(first + index)} ${first + index} ${text.slice(0, 300)}`).join('\n');
}

function readAgain() {
  try {
    const before = new Set(findings.keys());
    findings = readFindings();
    const added = [...findings.keys()].filter((one) => !before.has(one)).length;
    const gone = [...before].filter((one) => !findings.has(one)).length;
    const event = `${file}: ${added} new, ${gone} gone, ${open().length} of ${findings.size} findings are open`;
    console.log(event);
    if (provider.state.kind === 'bound' && added + gone) provider.push({ stream: 'sarif', level: 'surface', event });
  } catch (error) {
    // Not there, or half written: it is read again when it changes.
    console.error(`${sarif} cannot be read: ${error.message}`);
  }
}

const provider = createProvider('sarif', { session: 'all', tools });
provider.onDidChangeState(({ kind }) => console.log(kind));
readAgain();
watchFile(sarif, { interval: 500, persistent: false }, readAgain);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => provider.close());
