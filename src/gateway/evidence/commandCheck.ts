/** What is known of a command that a model says to have run. Nothing is run. */
import type { EvidenceCheck } from '../../tap/wire/evidence/evidenceCheck.ts';
import type { SeenCommand } from '../../tap/wire/owner/ownerQuestions.ts';
import { decided, type Decision, quotedPart, undecided } from './checkDecision.ts';
import { findText } from './findText.ts';

type CommandCheck = Extract<EvidenceCheck, { kind: 'command' }>;

/**
 * `seen`: the runs of this command in the record of the session, newest first; undefined where nobody has such a record. Then what is stated is all
 * there is. Otherwise the newest run that has ended decides, whatever is stated.
 */
export function checkCommand(check: CommandCheck, seen: readonly SeenCommand[] | undefined): Decision {
  const run = seen?.find(({ exitCode }) => exitCode !== undefined);
  if (run) return bySession(check, run, run.exitCode as number);
  const stated = byStatement(check);
  if (stated.verdict === 'contradicted' || !seen) return stated;
  return undecided(
    seen.length
      ? `the session has run ${quotedPart(check.command)}, but its record has no exit code of it`
      : `the record of this session has no ${quotedPart(check.command)}: name the command line exactly as it was run`,
  );
}

function bySession({ command, exitCode: stated, expectExitCode, output, text }: CommandCheck, run: SeenCommand, code: number): Decision {
  const what = `the session’s record: ${quotedPart(command)} ended with code ${code}`;
  const contradicted = (line: string) => decided(false, line, 'session');
  if (code !== stated) return contradicted(`${what}, not ${stated} as stated`);
  if (code !== expectExitCode) return contradicted(`${what}; ${lastLine(run.output)}`);
  const lost = [...new Set(linesOf(output ?? ''))].find((line) => !isElision(line) && findText(run.output, line) < 0);
  if (lost !== undefined && !run.isCut) return contradicted(`${what}, but has printed no ${quotedPart(lost)}`);
  if (text === undefined) return decided(true, `${what}; ${lastLine(run.output)}`, 'session');
  const found = lineWith(run.output, text);
  if (found !== undefined) return decided(true, `${what} and has printed: ${found}`, 'session');
  return run.isCut
    ? undecided(`the record has not all that ${quotedPart(command)} has printed, and ${quotedPart(text)} is not in what it has`)
    : contradicted(`${what}, but has printed no ${quotedPart(text)}`);
}

function byStatement({ command, exitCode, expectExitCode, output, text }: CommandCheck): Decision {
  const what = `as stated, ${quotedPart(command)} ended with code ${exitCode}`;
  if (exitCode !== expectExitCode) return decided(false, `${what}, which is not ${expectExitCode}`, 'stated');
  if (text === undefined) return decided(true, what, 'stated');
  const found = lineWith(output ?? '', text);
  if (found !== undefined) return decided(true, `${what} and has printed: ${found}`, 'stated');
  return decided(false, `${what}, but the output that was given has no ${quotedPart(text)}`, 'stated');
}

const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What stands for lines that were left out. */
const isElision = (line: string) => /^[[(]?(?:\.{3}|…).*$/u.test(line) || /(?:\.{3}|…)[\])]?$/u.test(line);

function lineWith(output: string, text: string): string | undefined {
  const at = findText(output, text);
  if (at < 0) return undefined;
  const end = output.indexOf('\n', at);
  return output.slice(output.lastIndexOf('\n', at - 1) + 1, end < 0 ? undefined : end);
}

function lastLine(output: string): string {
  const last = linesOf(output).at(-1);
  return last === undefined ? 'it has printed nothing' : `its last line: ${last}`;
}
